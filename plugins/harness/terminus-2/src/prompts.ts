import type { Answer } from './protocol/answer.ts';
import type { Observation } from './terminal/observation.ts';

type Parser = 'json' | 'xml';

const role = `You carry out a task on a Linux machine by typing into a terminal. After each of your answers the keystrokes are
typed for you, and you are shown the terminal. Nobody answers questions; decide yourself.`;

const jsonForm = `Answer with one JSON object and nothing else:

{
  "analysis": "what the terminal shows, and what is done so far",
  "plan": "what to do next, and why",
  "commands": [{ "keystrokes": "ls -la\\n", "duration": 0.5 }],
  "task_complete": false
}

- analysis, plan and commands have to be there, in this order. task_complete may be left out.
- commands may be empty: then nothing is typed, and you only see the terminal again.`;

const xmlForm = `Answer in this form and nothing else:

<response>
<analysis>what the terminal shows, and what is done so far</analysis>
<plan>what to do next, and why</plan>
<commands>
<keystrokes duration="0.5">ls -la
</keystrokes>
</commands>
<task_complete>false</task_complete>
</response>

- analysis, plan and commands have to be there. task_complete may be left out.
- Keystrokes are typed as they stand, without any unescaping: write < and & as they are.
- commands may be empty: then nothing is typed, and you only see the terminal again.`;

const typing = `- Keystrokes are typed exactly so. End each command with a newline, or it is not carried out.
- Keystrokes that are nothing but the tmux name of a key press that key: C-c, C-d, Escape, Up.
- duration: how many seconds to wait before what follows, 1 when you do not say, 60 at most. Take 0.1 for what is done at
  once, more for what compiles or downloads. It is better to look again than to wait long.
- Set task_complete to true when all is done and checked; you are asked once more before it counts.`;

/** The first message: all that stands above the task, the task, and what the terminal shows. */
export function firstMessage(
  parser: Parser,
  { task, systemPrompt, skills }: { task: string; systemPrompt: string | null; skills: string },
  screen: string,
): string {
  const form = parser === 'json' ? jsonForm : xmlForm;
  const parts = [role, `${form}\n${typing}`, systemPrompt ?? '', `The task:\n${task}`, skills];
  return [...parts, screenWords(screen)].filter((part) => part !== '').join('\n\n');
}

export function furtherTask(task: string, screen: string): string {
  return `A further task:\n${task}\n\n${screenWords(screen)}`;
}

function screenWords(screen: string): string {
  return `The screen now:\n${screen}`;
}

function observationWords({ kind, text }: Observation): string {
  return kind === 'new' ? `New on the terminal:\n${text}` : screenWords(text);
}

/** What the model is told after its commands were typed. */
export function afterCommands({ warnings }: Answer, observation: Observation): string {
  return [warningWords(warnings), observationWords(observation)].filter(Boolean).join('\n\n');
}

export function confirmation(answer: Answer, observation: Observation): string {
  return `${afterCommands(answer, observation)}

Is the task really done? Your work is looked at as it is now, and nothing can be changed afterwards. If so, answer with
task_complete set to true once more; if not, go on.`;
}

export function unreadable({ error, warnings }: Answer): string {
  const said = [`Your answer cannot be read, and nothing was typed: ${error ?? ''}`];
  const more = warningWords(warnings);
  return [
    ...said,
    ...(more === '' ? [] : [more]),
    'Answer again in the form that was asked for.',
  ].join('\n\n');
}

export const cutAnswer =
  'Your answer broke off at the limit of its length, and nothing was typed. Answer again, in smaller parts.';

function warningWords(warnings: readonly string[]): string {
  return warnings.length === 0 ? '' : `Note:\n${warnings.map((text) => `- ${text}`).join('\n')}`;
}

/** Asks for what a successor would have to know. */
export const summaryRequest = `The conversation is about to become too long, and another engineer will take over with nothing but
your words. Write down what the task asks, all that was done and found so far with commands, paths and values that
matter, what was tried in vain, how things stand now, and what is left to do. Do not answer in the form of before.`;

/** To a successor that knows only the summary. */
export function questionRequest(task: string, summary: string, screen: string): string {
  return `You take over a task on a Linux machine from another engineer.

The task:
${task}

What the other one wrote down:
${summary}

${screenWords(screen)}

Before you begin, ask whatever you have to know that is not said here: at least five questions, each on a line of its own.`;
}

export function answerRequest(questions: string): string {
  return `The other engineer asks, and you alone can tell. Answer each question in detail:\n\n${questions}`;
}

/** Goes on with what the conversation was about to say. */
export function afterHandover(answers: string, next: string): string {
  return `The answers to your questions:\n${answers}\n\nGo on with the task, in the form that was asked for.\n\n${next}`;
}

/** Where there is no room for a summary of everything. */
export function shortSummaryRequest(task: string, screen: string): string {
  return `A task on a Linux machine is under way.

The task:
${task}

The end of what the terminal shows:
${screen}

Say in a few sentences how far it has come and what to do next.`;
}
