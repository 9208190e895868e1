import { expect, test } from 'vitest';
import { isAllowed, isGlobal } from './allowed-hosts.ts';

test.each([
  ['example.com', true],
  ['EXAMPLE.com.', true],
  ['notexample.com', false],
  ['a.example.com', false],
  ['a.example.org', true],
  ['example.org', false],
  ['badexample.org', false],
  ['10.0.0.1', true],
  ['10.0.0.2', false],
])('%s is on the list: %s', (host, expected) => {
  expect(isAllowed(host, ['example.com', '*.example.org', '10.0.0.1'])).toBe(expected);
});

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.20.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['::1', false],
  ['fe80::1', false],
  ['::ffff:10.0.0.1', false],
  ['no address', false],
])('%s leads out into the world: %s', (address, expected) => {
  expect(isGlobal(address)).toBe(expected);
});
