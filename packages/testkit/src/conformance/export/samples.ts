import type { Episode, EpisodeRecord } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode } from '../../factories/episode.ts';
import { makeTokenTrace } from '../../factories/token-trace.ts';
import { makeTrace } from '../../factories/trace.ts';

/** What line ends, separators and encodings stumble over. */
const awkwardText = 'é 😀 "quoted", \\ comma\r\nnext\u2028line\u0000 =1+1 <|im_end|>';

/** Episodes of every kind that a run may hold: scored, unscored, failed, branched, with tokens and without. */
export function sampleEpisodes(): EpisodeRecord[] {
  return [
    makeEpisode(),
    awkward(),
    unscored(),
    failed(),
    withoutTrace(),
    twoAgents(),
    tokens(1),
    tokens(2),
    branched(),
  ].map((episode) => frozen(encodeEpisode(episode)));
}

/** An episode whose record is large; each is another one. */
export function largeEpisode(number: number): EpisodeRecord {
  const key = `large-${number}`;
  const trace = makeTokenTrace({
    id: key,
    task: { key, data: { prompt: 'x'.repeat(20_000) } },
    nodes: [
      [null, 'u', 0, [1, 2], '00'],
      [0, 'a', 1, [3, 4], '01'],
    ],
  });
  return encodeEpisode(episodeOf([trace]));
}

function episodeOf(traces: Episode['traces'], fields: Partial<Episode> = {}): Episode {
  const [first = makeTrace()] = traces;
  const id = `episode-${first.id}`;
  const ok = traces.every((trace) => trace.ok);
  return { ...makeEpisode(), id, task: first.task, traces, ok, ...fields };
}

function awkward(): Episode {
  const reply = {
    role: 'assistant' as const,
    content: awkwardText,
    reasoning: awkwardText,
    toolCalls: [{ id: 'call-1', name: 'look', arguments: JSON.stringify({ at: awkwardText }) }],
  };
  const trace = makeTrace({
    id: 'awkward',
    task: { key: awkwardText, data: { prompt: awkwardText, name: awkwardText, nested: [1, null] } },
    turns: [{ prompt: [{ role: 'user', content: awkwardText }], reply }],
    rewards: { 'né, "at"': 0.5 },
  });
  return episodeOf([trace], { unknown: { some_new_field: { kept: [1, 2] } } });
}

function unscored(): Episode {
  const trace = makeTrace({
    id: 'unscored',
    task: { key: 'unscored' },
    rewards: { correct: null },
  });
  trace.errors.push({ type: 'scoring/hook_failed', message: 'no such file', phase: 'scoring' });
  return episodeOf([trace]);
}

function failed(): Episode {
  const trace = makeTrace({ id: 'failed', task: { key: 'failed' }, turns: [], rewards: {} });
  trace.errors.push({ type: 'runtime/box_gone', message: 'the box died', phase: 'boot' });
  return episodeOf([Object.assign(trace, { ok: false, isCompleted: false })]);
}

function withoutTrace(): Episode {
  const { task } = makeTrace({ task: { key: 'no-trace' } });
  const errors = [{ type: 'runtime/boot_failed', message: 'no box' }];
  return { ...episodeOf([]), id: 'episode-no-trace', task, ok: false, errors };
}

function twoAgents(): Episode {
  const names = ['solver', 'judge'];
  const traces = names.map((name) =>
    makeTrace({
      id: `two-${name}`,
      task: { key: 'two' },
      agent: { name, trainable: name === 'solver' },
    }),
  );
  return episodeOf(traces, { id: 'episode-two', env: { id: 'solver-judge' } });
}

function tokens(attempt: number): Episode {
  const trace = makeTokenTrace({
    id: `tokens-${attempt}`,
    task: { key: 'tokens' },
    rewards: { correct: attempt - 1 },
    nodes: [
      [null, 'u', 0, [1, 2, 3], '000'],
      [0, 'a', 1, [4, 5, 6], '011'],
      [1, 'u', 0, [7, 8, 9], '000'],
      [2, 'a', 1, [4, 10, 6], '011'],
    ],
  });
  return { ...episodeOf([trace]), attempt };
}

/** One reply under two continuations: it trains once. */
function branched(): Episode {
  const trace = makeTokenTrace({
    id: 'branched',
    task: { key: 'branched' },
    nodes: [
      [null, 'u', 0, [1], '0'],
      [0, 'a', 1, [2, 3, 4], '011'],
      [1, 'u', 0, [5], '0'],
      [2, 'a', 1, [2, 6], '01'],
      [1, 'u', 0, [7], '0'],
      [4, 'a', 1, [2, 8], '01'],
    ],
  });
  return episodeOf([trace]);
}

/** An exporter that changes what it is given is found out. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}
