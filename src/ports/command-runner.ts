/** How a command ended that was run to learn something from its exit status. */
export type CommandEnd = { readonly output: string } & (
  | { readonly state: 'exited'; readonly exitCode: number }
  | { readonly state: 'killed'; readonly signal: string }
  | { readonly state: 'timed-out' }
  | { readonly state: 'not-started' }
);

/** Runs a command without a shell, a terminal or input. What is left of it when the time is up is ended. */
export type RunCommand = (
  argv: readonly string[],
  bounds: {
    readonly cwd: string;
    readonly timeoutMs: number;
    /** Ends it, and what it started, at once. */
    readonly signal?: AbortSignal;
  },
) => Promise<CommandEnd>;
