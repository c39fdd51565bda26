/** What is to run in a pane. */
export interface PaneProgram {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What tmux was told to run, where that is more than the program (`env … --`). */
  readonly startCommand?: string;
  readonly rssBytes?: number;
}

export interface NewSession extends PaneProgram {
  readonly name: string;
  /** A new one where none is given. */
  readonly label?: string;
}

/** `hung`: it answers nobody and notices nothing. `stopped`: the same, and its process is stopped. */
export type Mood = 'well' | 'hung' | 'stopped';
