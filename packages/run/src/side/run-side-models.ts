import type { ExtraUsage, Message, SideModel, SideQuestion } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { askModel } from '@vf/interception';
import type { Asked } from '@vf/interception';
import type { SideModels } from '@vf/rollout';
import type { StoredAnswer } from '@vf/store';
import type { PlannedSideModel } from '../plan/side-models.ts';
import { questionKey } from './question-key.ts';
import { sideCallError, sideError } from './side-error.ts';
import { SingleFlight } from './single-flight.ts';

/** Where answers are kept. */
export interface Answers {
  get(key: string): Promise<StoredAnswer | null>;
  add(answer: StoredAnswer): Promise<void>;
}

type Around = Parameters<SideModels['ask']>[2];

/** The judges and simulated users of a run, asked in its name. */
export class RunSideModels implements SideModels {
  readonly #planned: ReadonlyMap<string, PlannedSideModel>;
  readonly #answers: Answers;
  readonly #flights = new SingleFlight();
  /** Names of those whose provider takes no format: they are told in words alone. */
  readonly #formatless = new Set<string>();

  constructor(planned: readonly PlannedSideModel[], answers: Answers) {
    this.#planned = new Map(planned.map((one) => [one.declared.name, one]));
    this.#answers = answers;
  }

  find(declared: SideModel): Pick<PlannedSideModel, 'prompt' | 'model'> {
    const { prompt, model } = this.#find(declared);
    return { prompt, model };
  }

  async ask(declared: SideModel, question: SideQuestion, around: Around): Promise<string> {
    const planned = this.#find(declared);
    if (!question.cached) return this.#sample(planned, question, around);
    const key = questionKey(planned.model, planned.sampling, question);
    return this.#flights.run(key, around.signal, async () => {
      const stored = await this.#answers.get(key);
      if (stored !== null && question.check(stored.text) === null) return stored.text;
      const text = await this.#sample(planned, question, around);
      await this.#answers.add({ key, by: declared.name, model: planned.model, text });
      return text;
    });
  }

  #find(declared: SideModel): PlannedSideModel {
    const planned = this.#planned.get(declared.name);
    if (planned?.declared === declared) return planned;
    throw sideError(declared, 'is unknown to the run', {
      hint: `a hook that asks by itself is told of in the taskset: judges: [${declared.name}]`,
    });
  }

  /** A reply that passes the check; one that does not is shown to the model once, with what is wrong. */
  async #sample(
    planned: PlannedSideModel,
    question: SideQuestion,
    around: Around,
  ): Promise<string> {
    const { messages, format, check } = question;
    const first = await this.#reply(planned, messages, format, around);
    const problem = check(first);
    if (problem === null) return first;
    const repair: Message[] = [
      ...messages,
      { role: 'assistant', content: first },
      {
        role: 'user',
        content: `That cannot be used: ${problem}\nAnswer again, only in the form asked for.`,
      },
    ];
    const second = await this.#reply(planned, repair, format, around);
    const still = check(second);
    if (still === null) return second;
    throw sideError(planned.declared, `gave no usable answer, asked twice: ${still}`);
  }

  async #reply(
    planned: PlannedSideModel,
    messages: readonly Message[],
    format: SideQuestion['format'],
    around: Around,
  ): Promise<string> {
    const { declared } = planned;
    const isFormatted = format !== undefined && !this.#formatless.has(declared.name);
    const asked = await this.#ask(planned, messages, isFormatted ? format : undefined, around);
    if (asked.error !== null) {
      if (!isFormatted || !refusesFormat(asked.error)) throw sideCallError(declared, asked.error);
      this.#formatless.add(declared.name);
      return this.#reply(planned, messages, format, around);
    }
    const { reply } = asked;
    if (reply?.finish === 'content_filter') throw sideError(declared, 'refused');
    if (reply?.finish === 'length')
      throw sideError(declared, 'was cut off at its limit of tokens', {
        hint: 'raise maxOutputTokens in its sampling',
      });
    return reply?.message?.content ?? '';
  }

  async #ask(
    { declared, model, sampling, price, connection }: PlannedSideModel,
    messages: readonly Message[],
    format: SideQuestion['format'],
    { spent, signal }: Around,
  ): Promise<Asked> {
    if (VfError.isInstance(connection)) throw connection;
    const [system, ...rest] = messages;
    const hasSystem = system?.role === 'system';
    const asked = await askModel(
      { ...connection, price },
      {
        preamble: hasSystem ? [system] : [],
        messages: hasSystem ? rest : messages,
        tools: [],
        settings: {
          ...sampling,
          model,
          stream: false,
          ...(format === undefined ? {} : { responseFormat: format }),
        },
      },
      signal,
    );
    if (asked.usage !== null) spent(usageOf(asked, declared, model));
    return asked;
  }
}

function usageOf({ usage, cost, reply }: Asked, { name }: SideModel, model: string): ExtraUsage {
  return {
    ...(usage ?? { inputTokens: 0, outputTokens: 0 }),
    ...(cost === null ? {} : { cost }),
    by: name,
    model: reply?.model ?? model,
  };
}

/** Servers without structured output say so with a 400 that names the key. */
function refusesFormat({ code, message }: NonNullable<Asked['error']>): boolean {
  return (
    code === 'invalid' &&
    /response_format|json_schema|output_config|output_format|text\.format|structured/i.test(message)
  );
}
