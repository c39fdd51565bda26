/** A command line as it was started. */
export interface StartedAs {
  readonly argv: readonly string[];
  /** Where it was started; absent where only the place is known in which it is now. */
  readonly cwd?: string;
}

/** How a conversation is brought back. */
export interface Resumption {
  readonly argv: readonly string[];
  /** What of the earlier command line is not in it, and why. Names of options only: their values may be secret. */
  readonly dropped: readonly string[];
}

/**
 * Says how an agent brings a conversation back, by the first of these command lines that is the agent's; null where it
 * cannot. Without a conversation it says how a new one is begun in the same way.
 */
export type ResumeOf = (
  agentKind: string,
  conversation: string | null,
  starts: readonly StartedAs[],
) => Resumption | null;
