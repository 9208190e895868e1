import { VfError, errorCodes, isInfrastructure } from '@vf/core';
import type { ErrorCode, Rollout } from '@vf/core';
import { readVerdict } from '@vf/judge';
import type { Form } from '@vf/judge';

const longestVerdict = 1024 * 1024;

/**
 * The verdict of a judge: its file, else its last message.
 * @throws VfError scoring/judge_failed when there is none; what ended the judge when that says nothing about it
 */
export async function verdictOf<Verdict>(
  judged: Rollout,
  form: Form<Verdict>,
  file: string,
): Promise<Verdict> {
  const { trace } = judged;
  const error = trace.ok ? undefined : trace.errors.at(-1);
  if (error !== undefined)
    throw failed(`ended with an error: ${error.message}`, codeOf(error.type));
  const written = await read(judged, file);
  const texts = [...(written === null ? [] : [written]), trace.lastReply ?? ''];
  const problems: string[] = [];
  for (const text of texts) {
    const { verdict, problem } = readVerdict(text, form.schema);
    if (problem === null) return verdict;
    problems.push(problem);
  }
  const where = written === null ? `no file ${file}; its last message` : `its file ${file}`;
  throw failed(`gave no verdict (${trace.stopCondition}): ${where}: ${problems[0]}`);
}

/** null when there is no such file. */
async function read({ runtime }: Rollout, file: string): Promise<string | null> {
  try {
    const bytes = await runtime.read(file, { maxBytes: longestVerdict });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (VfError.isInstance(error) && error.code === 'runtime/file_not_found') return null;
    throw error;
  }
}

/** What a provider or a box did is told as it is, so that resume plays the episode again. */
function codeOf(type: string): ErrorCode {
  return type in errorCodes && isInfrastructure(type)
    ? (type as ErrorCode)
    : 'scoring/judge_failed';
}

function failed(what: string, code: ErrorCode = 'scoring/judge_failed'): VfError {
  return new VfError(code, `the judge ${what}`, {
    hint: 'vf resume RUN --include scoring plays the episode again',
  });
}
