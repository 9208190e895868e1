const commit = '3f0c2a9d4e5b6c7d8e9f00112233445566778899';

/** A sound record with two calls. */
export function example() {
  return {
    schema_version: 'hessian.trajectory.v1',
    episode_id: 'e1',
    task_id: 'add-1',
    group_id: 'g1',
    seed: 7,
    source_kind: 'fixture',
    policy: {
      model_id: 'byte-lm',
      revision: commit,
      tokenizer_id: 'byte-lm',
      tokenizer_revision: commit,
      chat_template_sha256: '0f'.repeat(32),
    },
    harness: { name: 'loop', version: '0.1.0', revision: commit },
    reward: { value: 1.5, scorer: 'exact', scorer_revision: '1' },
    calls: [
      {
        call_id: 'c0',
        prompt_token_ids: [1, 2, 3, 4],
        response_token_ids: [5, 6],
        response_role: 'assistant',
        response_loss_mask: [1, 1],
        finish_reason: 'tool_calls',
        context: [{ role: 'user', content: '2+2?' }],
        behavior_logprobs: [-0.1, -0.2],
      },
      {
        call_id: 'c1',
        prompt_token_ids: [1, 2, 3, 4, 5, 6, 7],
        response_token_ids: [10, 6],
        response_role: 'assistant',
        response_loss_mask: [1, 1],
        finish_reason: 'stop',
        context: [
          { role: 'user', content: '2+2?' },
          { role: 'assistant', content: '' },
          { role: 'tool', content: '4' },
        ],
        behavior_logprobs: [-0.3, -0.4],
      },
    ],
  };
}

/** The example as a line, with one value replaced by a piece of JSON; without one, the key goes. */
export function mutated(path: string, json?: string): string {
  const record: unknown = example();
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const marker = '«here»';
  const holder = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], record);
  const target = holder as Record<string, unknown>;
  if (json === undefined) delete target[last];
  else target[last] = marker;
  return JSON.stringify(record).replace(JSON.stringify(marker), () => json ?? '');
}
