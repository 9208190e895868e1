import type { Engine, Sample, SampleRequest } from '../src/engine/engine.ts';

type Answer = Partial<Sample> | Error;

/** An engine that answers its calls with what is given, one after the other and the last one again. */
export function scripted(...answers: readonly Answer[]) {
  const asked: SampleRequest[] = [];
  const engine: Engine = {
    id: 'vllm',
    contextLength: async () => 100,
    async sample(request, _signal, onIds) {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
      asked.push(request);
      if (answer instanceof Error) throw answer;
      const sample = {
        ids: [],
        finish: 'stop',
        rawFinish: 'stop',
        cached: null,
        ...answer,
      } as const;
      onIds?.(sample.ids);
      return { logprobs: Array.from(sample.ids, () => -0.5), ...sample };
    },
    close: async () => undefined,
  };
  return { engine, asked };
}

export function requestOf(session: string, room: number | null = 10): SampleRequest {
  return {
    model: 'policy',
    promptIds: Int32Array.of(1, 2),
    recordedLength: 0,
    settings: { model: 'policy', stream: false },
    stopIds: [9],
    room,
    session,
  };
}
