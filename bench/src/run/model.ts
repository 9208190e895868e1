import { setTimeout as sleep } from 'node:timers/promises';
import { instant, say, startScriptedModel } from '@vf/testkit';
import type { ScriptFunction } from '@vf/testkit';
import { answerQuestions } from '../processes/answer-questions.ts';

/** A scripted model in a process of its own: answers at once, or each call after so many milliseconds. */
const delayMs = Number(process.argv[2] ?? '0');
const reply = say('The answer is 4.');
/** Calls that wait at this moment, and the most there ever were. */
const calls = { open: 0, most: 0 };

const slow: ScriptFunction = async () => {
  calls.most = Math.max(calls.most, ++calls.open);
  await sleep(delayMs);
  calls.open--;
  return reply;
};

const model = await startScriptedModel({
  script: delayMs === 0 ? instant(reply) : slow,
  record: false,
});

answerQuestions({ url: model.url }, async () => ({ open: calls.most }));
