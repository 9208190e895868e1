import type { Message, Trace } from '@vf/core';
import { makeEpisode, makeTokenTrace, makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { trajectoryOf } from '../src/index.ts';
import type { Trajectory } from '../src/index.ts';

function documentOf(trace: Trace, tokens = false): Trajectory {
  const episode = { ...makeEpisode(), task: trace.task, traces: [trace] };
  const document = trajectoryOf(episode, trace, { tokens });
  if (document === null) throw new Error('the trace has no message');
  return document;
}

const user = (content: string): Message => ({ role: 'user', content });
const call = { id: 'c1', name: 'bash', arguments: '{"command":"ls"}' };

test('a call of the model is a step with its tool calls, and their results stand with it', () => {
  const trace = makeTrace({
    rewards: { correct: 0.5, tidy: null },
    turns: [
      {
        prompt: [{ role: 'system', content: 'Be brief.' }, user('List.')],
        reply: { role: 'assistant', content: null, reasoning: 'look', toolCalls: [call] },
        usage: { inputTokens: 90, outputTokens: 12, cachedInputTokens: 40 },
      },
      {
        prompt: [{ role: 'tool', toolCallId: 'c1', content: 'notes.txt', isError: true }],
        reply: { role: 'assistant', content: 'One file.' },
        usage: { inputTokens: 110, outputTokens: 4 },
      },
    ],
  });
  expect(documentOf(trace)).toMatchObject({
    schema_version: 'ATIF-v1.7',
    trajectory_id: 'rollout-1',
    agent: { name: 'null', version: 'unknown', model_name: 'scripted' },
    steps: [
      { step_id: 1, source: 'system', message: 'Be brief.' },
      { step_id: 2, source: 'user', message: 'List.' },
      {
        step_id: 3,
        source: 'agent',
        message: '',
        reasoning_content: 'look',
        llm_call_count: 1,
        tool_calls: [{ tool_call_id: 'c1', function_name: 'bash', arguments: { command: 'ls' } }],
        observation: {
          results: [{ source_call_id: 'c1', content: 'notes.txt', extra: { is_error: true } }],
        },
        metrics: { prompt_tokens: 90, completion_tokens: 12, cached_tokens: 40 },
      },
      { step_id: 4, source: 'agent', message: 'One file.' },
    ],
    final_metrics: { total_prompt_tokens: 200, total_completion_tokens: 16, total_steps: 4 },
    extra: { reward: null, rewards: { correct: 0.5, tidy: null }, ok: false },
  });
});

test('arguments that are no object, and results that nobody asked for, are kept', () => {
  const toolCalls = [
    { id: 'a', name: 'patch', arguments: '*** Begin', kind: 'custom' as const },
    { id: 'b', name: 'bash', arguments: '{"command":' },
    { id: 'c', name: 'list', arguments: '[1]' },
  ];
  const trace = makeTrace({
    turns: [
      {
        prompt: [user('Go.'), { role: 'tool', toolCallId: 'zzz', content: 'early' }],
        reply: { role: 'assistant', content: '', toolCalls },
      },
      {
        prompt: [{ role: 'tool', toolCallId: 'unknown', content: 'late' }],
        reply: { role: 'assistant', content: 'ok' },
      },
    ],
  });
  const { steps } = documentOf(trace);
  expect(steps[1]).toMatchObject({
    source: 'system',
    observation: { results: [{ content: 'early' }] },
  });
  expect(steps[2]?.tool_calls?.map(({ arguments: given }) => given)).toEqual([
    { input: '*** Begin' },
    { input: '{"command":' },
    { input: '[1]' },
  ]);
  expect(steps[2]?.observation).toEqual({ results: [{ content: 'late' }] });
});

test('images are parts; what the format cannot hold leaves a note', () => {
  const content = [
    { type: 'text' as const, text: 'see' },
    { type: 'image' as const, url: 'https://x.test/a.JPG?s=1' },
    { type: 'image' as const, url: 'data:image/png;base64,AA==' },
    { type: 'image' as const, url: 'data:image/tiff;base64,AA==' },
    { type: 'native' as const, native: { type: 'input_file' } },
  ];
  const reply = { role: 'assistant' as const, content: 'a cat' };
  const trace = makeTrace({ turns: [{ prompt: [{ role: 'user', content }], reply }] });
  expect(documentOf(trace).steps[0]?.message).toEqual([
    { type: 'text', text: 'see' },
    { type: 'image', source: { media_type: 'image/jpeg', path: 'https://x.test/a.JPG?s=1' } },
    { type: 'image', source: { media_type: 'image/png', path: 'data:image/png;base64,AA==' } },
    { type: 'text', text: '[image of unknown type: data:image/tiff;base64,AA==]' },
    { type: 'text', text: '[not text: input_file]' },
  ]);
});

test('another branch is a trajectory inside, its common beginning marked as copied', () => {
  const trace = makeTokenTrace({
    nodes: [
      [null, 'u', 0, [1], '0'],
      [0, 'a', 1, [2], '1'],
      [1, 'u', 0, [3], '0'],
      [2, 'a', 1, [4], '1'],
      [1, 'u', 0, [5], '0'],
      [4, 'a', 1, [6], '1'],
    ],
  });
  const { steps, subagent_trajectories: others = [] } = documentOf(trace, true);
  expect(steps.map(({ is_copied_context: copied }) => copied)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(steps.at(-1)?.metrics).toMatchObject({
    prompt_token_ids: [1, 2, 5],
    completion_token_ids: [6],
    logprobs: [-0.5],
  });
  expect(others).toHaveLength(1);
  expect(others[0]?.trajectory_id).toBe('rollout-1/branch-1');
  expect(others[0]?.steps.map(({ is_copied_context: copied }) => copied)).toEqual([
    true,
    true,
    undefined,
    undefined,
  ]);
});
