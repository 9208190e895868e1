import { expect, test } from 'vitest';
import { hostEnvironment } from './environment.ts';

test('keys, options of Node and everything unknown stay outside', () => {
  const host = {
    PATH: '/bin',
    LANG: 'C',
    LC_ALL: 'C',
    SSL_CERT_FILE: '/ca.pem',
    HOME: '/root',
    NODE_OPTIONS: '--conditions=x',
    OPENAI_API_KEY: 'sk-1',
    AWS_SESSION_TOKEN: 'x',
  };
  expect(hostEnvironment(host)).toEqual({
    PATH: '/bin',
    LANG: 'C',
    LC_ALL: 'C',
    SSL_CERT_FILE: '/ca.pem',
  });
});

test('a proxy is used, but not towards this machine', () => {
  const { NO_PROXY, no_proxy, ...rest } = hostEnvironment({
    HTTPS_PROXY: 'http://proxy:3128',
    NO_PROXY: 'example.com',
  });
  expect(rest).toEqual({ HTTPS_PROXY: 'http://proxy:3128' });
  expect(NO_PROXY).toBe('example.com,127.0.0.1,localhost,::1');
  expect(no_proxy).toBe(NO_PROXY);
});

test('a proxy with a password is a secret', () => {
  expect(hostEnvironment({ https_proxy: 'http://me:pw@proxy:3128' })).toEqual({});
});
