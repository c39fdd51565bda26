import type { Process, ProcessDetails } from '../process.ts';

/** An agent that may be at the conversation of a session that is gone. */
export interface Sighted {
  readonly process: Process;
  readonly details: Pick<ProcessDetails, 'argv'>;
  /** The run that it bears the mark of; null where that cannot be read. */
  readonly run: string | null;
}

/**
 * The agents that outlived their session, or were started on its conversation outside of tmux: they bear the mark of its run,
 * or have the id of the conversation among their arguments.
 */
export function outlivedBy(
  agents: readonly Sighted[],
  { run, conversation }: { readonly run: string | null; readonly conversation: string | null },
): readonly Sighted[] {
  const names = (word: string) => conversation !== null && word.split('=').includes(conversation);
  return agents.filter((one) => (run !== null && one.run === run) || one.details.argv.some(names));
}
