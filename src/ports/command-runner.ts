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

/** Carries the marks of programs that rollcall started to whatever they start. */
export const STARTED_VARIABLE = 'ROLLCALL_STARTED';

/** A program that was started with a mark. */
export interface StartedProgram {
  readonly mark: string;
  readonly startedAt: number;
  /** What it was given. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Ends what such a program left running, once it is over; servers and what runs in terminals stay. Never throws. */
export type EndStarted = (started: StartedProgram) => void;
