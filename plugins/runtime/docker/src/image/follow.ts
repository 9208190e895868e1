import type Docker from 'dockerode';

/** One line of what the engine answers to a pull, a build or an import. */
export interface Progress {
  readonly stream?: string;
  readonly status?: string;
  readonly error?: string;
  /** Of BuildKit, for `id` moby.buildkit.trace: a protobuf message in base64. */
  readonly aux?: unknown;
}

/** Reads such an answer to its end. A failure comes as a line within an answer that began well; it is thrown. */
export function follow(
  docker: Docker,
  answer: NodeJS.ReadableStream,
  note: (line: Progress) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: string | null = null;
    docker.modem.followProgress(
      answer,
      (error) => {
        if (error === null && failure === null) resolve();
        else reject(error ?? new Error(failure ?? ''));
      },
      (line: Progress) => {
        failure ??= line.error ?? null;
        note(line);
      },
    );
  });
}
