import { textOf } from '@vf/core/trace';
import { solveWithShell } from '@vf/testkit';
import type { ScriptedRequest } from '@vf/testkit';

/** Plays the model of the file-editing tasks: reads the wish from the prompt, answers with one shell call, then a word. */
export const editScript = solveWithShell(sedFor, 'The file is edited.');

function sedFor({ messages }: ScriptedRequest): string {
  const asked = messages
    .map((message) => wishIn(textOf(message.content)))
    .findLast((wish) => wish !== null);
  if (asked === undefined || asked === null) return 'true';
  return `sed -i 's/${asked.find}/${asked.replace}/g' ${asked.file} && cat ${asked.file}`;
}

function wishIn(
  text: string,
): { readonly file: string; readonly find: string; readonly replace: string } | null {
  const [, file, find, replace] =
    /In the file (\S+), replace every "(\w+)" by "(\w+)"/.exec(text) ?? [];
  return file === undefined || find === undefined || replace === undefined
    ? null
    : { file, find, replace };
}
