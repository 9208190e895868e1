import { deliver, instant, say, startScriptedModel } from '@vf/testkit';
import { answerQuestions } from '../processes/answer-questions.ts';

/** A scripted model in a process of its own: answers at once, or each call after so many milliseconds. */
const delayMs = Number(process.argv[2] ?? '0');
const model = await startScriptedModel({
  script: delayMs === 0 ? instant(say('The answer is 4.')) : () => [say('The answer is 4.'), deliver({ headDelayMs: delayMs })].flat(),
  record: false,
});

answerQuestions({ url: model.url }, async () => null);
