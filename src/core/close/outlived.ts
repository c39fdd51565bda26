/** A process that may be at the conversation of a session that is gone. */
export interface Sighted {
  readonly pid: number;
  readonly argv: readonly string[];
  /** The run that it bears the mark of; null where it bears none, cannot be read, or is in a session that shows it. */
  readonly run: string | null;
  /** The conversation that it says it has; null where it says none. */
  readonly conversation: string | null;
}

/**
 * Who outlived a session, or was started on its conversation by somebody else: whoever bears the mark of one of its runs,
 * says that it has the conversation, or has its id among its arguments.
 */
export function outlivedBy(
  all: readonly Sighted[],
  { runs, conversation }: { readonly runs: ReadonlySet<string>; readonly conversation: string | null },
): readonly Sighted[] {
  const names = (word: string) =>
    conversation !== null && (word === conversation || (word.startsWith('-') && word.endsWith(conversation)));
  return all.filter((one) => {
    const isSaid = conversation !== null && one.conversation === conversation;
    return isSaid || (one.run !== null && runs.has(one.run)) || one.argv.some(names);
  });
}
