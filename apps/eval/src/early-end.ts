let isTold = false;

/** The process ends on purpose, or why it ends has been said. */
export function endIsTold(): void {
  isTold = true;
}

/**
 * Runs a command to its end. A process that ends before (a module or hook that calls process.exit, a promise that never
 * settles with nothing left to do) says so and has exit code 1: silence would look like success.
 */
export async function toItsEnd(work: () => Promise<number>): Promise<number> {
  const onExit = (): void => {
    if (isTold) return;
    process.exitCode = 1;
    process.stderr.write(
      'vf: the process ended before the command did: a taskset or plugin called process.exit, or waits (an await at the top of a file, load, a hook) for what never comes\n',
    );
  };
  process.on('exit', onExit);
  try {
    return await work();
  } finally {
    process.off('exit', onExit);
  }
}
