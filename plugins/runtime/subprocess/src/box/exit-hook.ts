/** What has processes to end. */
interface HasProcesses {
  killSync(): void;
}

const standing = new Set<HasProcesses>();

/** Ends the box's processes when this process exits before the box was stopped. */
export function killAtExit(box: HasProcesses): void {
  if (standing.size === 0) process.on('exit', killAll);
  standing.add(box);
}

export function forgetAtExit(box: HasProcesses): void {
  if (standing.delete(box) && standing.size === 0) process.off('exit', killAll);
}

function killAll(): void {
  for (const box of standing) box.killSync();
}
