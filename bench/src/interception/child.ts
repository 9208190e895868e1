/** Where one conversation sends its turns. */
export interface Place {
  readonly url: string;
  readonly bearer: string;
}

/** What the measuring process asks of a relay. */
export type Command =
  | { readonly ask: 'cpu' }
  | { readonly ask: 'open'; readonly count: number }
  | { readonly ask: 'close' };

export interface Relay {
  open(count: number): readonly Place[] | Promise<readonly Place[]>;
  close(): void | Promise<void>;
}

/** Answers the measuring process over the IPC channel, then ends with it. */
export function serveCommands(relay: Relay): void {
  process.on('message', (command: Command) => {
    void answer(relay, command).then((reply) => process.send?.({ reply }));
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready: true });
}

async function answer(relay: Relay, command: Command): Promise<unknown> {
  if (command.ask === 'open') return relay.open(command.count);
  if (command.ask === 'close') return relay.close();
  const { user, system } = process.cpuUsage();
  return user + system;
}
