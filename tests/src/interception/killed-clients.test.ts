import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { deliver, say, startScriptedModel } from '@vf/testkit';
import { expect, test } from 'vitest';
import { intercept, requestOf } from './rig.ts';

const agent = `
const [url, key, body] = process.argv.slice(1);
const response = await fetch(url, { method: 'POST', body, headers: { authorization: 'Bearer ' + key } });
for await (const chunk of response.body) process.stdout.write(chunk);
`;

test('[wire/client-gone] agents killed in mid-stream leave failed calls and nothing running', async () => {
  const reply = [say('word '.repeat(200), { pieces: 200 }), deliver({ eventDelayMs: 50 })];
  await using model = await startScriptedModel({ script: () => reply });
  await using rig = await intercept(model.url, {}, { limits: { clientGoneGrace: 100 } });
  const agents = [0, 1, 2, 3].map((n) => {
    const { path, body } = requestOf('chat-completions', true, `agent ${n}`);
    return spawn(process.execPath, [
      '--input-type=module',
      '-e',
      agent,
      `${rig.url}${path}`,
      rig.bearer,
      body,
    ]);
  });
  await Promise.all(agents.map(({ stdout }) => once(stdout, 'data')));
  for (const one of agents) one.kill('SIGKILL');
  await Promise.all(agents.map((one) => once(one, 'exit')));
  while (rig.session.inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(rig.trace.calls.map(({ error, node }) => [error?.code, node])).toEqual(
    agents.map(() => ['aborted', null]),
  );
  expect(rig.trace.calls.every(({ partial }) => partial?.startsWith('word ') === true)).toBe(true);
  expect(rig.trace.graph.nodes).toEqual([]);
});
