import terminus from '@vf/harness-terminus-2';
import subprocess from '@vf/runtime-subprocess';
import { fail, finish, say, typing, usage } from '@vf/testkit';
import type { Reply, ScriptedModel } from '@vf/testkit';
import { describeHarness } from '@vf/testkit/conformance';
import { textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { scenes, signal } from './rig.ts';

const limit = { timeout: 120_000 };

/** An answer that types this, and says whether all is done. */
function type(keystrokes: readonly string[], done = false): Reply {
  const commands = keystrokes.map((text) => ({ keystrokes: text, duration: 0.7 }));
  return say(JSON.stringify({ analysis: 'a', plan: 'p', commands, task_complete: done }));
}
const done = type([], true);

/** What the model was told last, of each call. */
function told(model: ScriptedModel): readonly string[] {
  return model.turns.map(({ call }) => textOf(call?.messages.at(-1)?.content ?? ''));
}

describe('terminus-2', () => {
  describeHarness(() => terminus, {
    runtime: () => subprocess,
    manner: typing,
    callsPerRefusal: 1,
  });

  const open = scenes(terminus);

  test('one terminal for all, whose keys are keys and whose text is text', limit, async () => {
    const long = `echo ${'x'.repeat(20_000)} | wc -c\n`;
    const { session, model } = await open([
      type(['cd /tmp && PS1="$ " && clear\n', 'sleep 100\n', 'C-c', 'echo $? in $PWD;', '\n']),
      type([long]),
      done,
      done,
    ]);
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    const [first = '', second = '', third = '', last = ''] = told(model);
    expect(first).toMatch(/The task:\nGo\.[^]*The screen now:/);
    expect(second).toContain('130 in /tmp');
    expect(third).toContain('20001');
    expect(third).toMatch(/^New on the terminal:/);
    expect(last).toContain('Is the task really done?');
    expect(model.turns).toHaveLength(4);
  });

  test('only two answers in a row that say so are the end', limit, async () => {
    const { session, model } = await open([
      done,
      type(['true\n']),
      done,
      type(['echo "last"\n'], true),
    ]);
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    expect(model.turns).toHaveLength(4);
    // The commands of the confirming answer are carried out too.
    await session.turn('And now?', signal).catch(() => null);
    expect(told(model)[4]).toMatch(/^A further task:\nAnd now\?[^]*echo "last"\nlast/);
  });

  test('answers that cannot be read, or break off, type nothing', limit, async () => {
    const cut = [type(['echo cut > cut\n']), finish('length')].flat();
    const { session, model, box } = await open([
      say('I would rather talk.'),
      cut,
      type(['echo odd', '\n']),
      done,
      done,
    ]);
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    const [, unread = '', broken = '', odd = ''] = told(model);
    expect(unread).toContain('There is no JSON object in the answer.');
    expect(broken).toContain('broke off at the limit of its length');
    expect(odd).toContain('Command 1 does not end in a newline');
    await expect(box.read('cut')).rejects.toMatchObject({ code: 'runtime/file_not_found' });
  });

  test('answers of tags, with a whole one saved from one that breaks off', limit, async () => {
    const tags = (typed: string, over = false): string =>
      `<response><analysis>a</analysis><plan>p</plan><commands><keystrokes duration="0.7">${typed}
</keystrokes></commands><task_complete>${over}</task_complete></response>`;
    const { session, model } = await open(
      [
        [say(`${tags('echo $((40 + 2)) && echo <&-')} and so`), finish('length')],
        say(tags('true', true)),
        say(tags('true', true)),
      ],
      { parser: 'xml' },
    );
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    expect(told(model)[0]).toContain('<keystrokes duration=');
    expect(told(model)[1]).toContain('42');
  });

  test('ends with its terminal, and has a new one in the next turn', limit, async () => {
    const { session, model } = await open([type(['exit\n', 'echo nobody\n']), done, done]);
    expect(await session.turn('Go.', signal)).toEqual({
      status: 'completed',
      detail: 'the terminal was ended',
    });
    expect(await session.turn('Again.', signal)).toEqual({ status: 'completed' });
    expect(told(model)[1]).toMatch(/^A further task:\nAgain\./);
  });

  test('all of a long output counts, both ends are shown', limit, async () => {
    const { session, model } = await open([type(['seq 20000\n']), done, done], {
      maxOutput: 2000,
    });
    await session.turn('Go.', signal);
    const [, shown = ''] = told(model);
    expect(shown).toMatch(/seq 20000\n1\n2\n[^]*\[… \d{5,} bytes left out …\]\n[^]*19999\n20000\n/);
    expect(shown.length).toBeLessThan(2500);
  });

  test.each(['responses', 'messages'])('asks over %s', limit, async (dialect) => {
    const { session, model } = await open(
      typing(() => say('Done.')),
      {},
      { dialect },
    );
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    expect(model.turns.map(({ call }) => call?.dialect)).toEqual([dialect, dialect]);
  });

  test('stops after so many calls', limit, async () => {
    const { session, model } = await open(() => type(['true\n']), { maxTurns: 2 });
    expect(await session.turn('Go.', signal)).toEqual({
      status: 'completed',
      detail: 'stopped after 2 model calls',
    });
    expect(model.turns).toHaveLength(2);
  });

  test('hands over to itself before the context is full', limit, async () => {
    const full = [type(['echo before\n']), usage({ inputTokens: 50_000, outputTokens: 10 })].flat();
    const { session, model } = await open(
      ({ call }) =>
        [full, full, say('The summary.'), say('What is it?'), say('It is that.')][call - 1] ?? done,
      { contextWindow: 55_000 },
    );
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    const lengths = model.turns.map(({ call }) => call?.messages.length);
    expect(lengths).toEqual([1, 3, 5, 1, 7, 4, 6]);
    expect(told(model)[5]).toMatch(/It is that\.[^]*Go on with the task/);
  });

  test('hands over when the endpoint says that it is too long', limit, async () => {
    const refusal = fail(400, { message: 'the maximum context length is 100 tokens' });
    const replies = [type(['echo a\n']), refusal, say('S.'), say('Q?'), say('A.'), done, done];
    const { session } = await open(({ call }) => replies[call - 1] ?? done);
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
    const off = await open([type(['echo a\n']), refusal], { summarize: false });
    expect(await off.session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('maximum context length') as string,
    });
  });
});
