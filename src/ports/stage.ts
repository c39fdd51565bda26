/** A private tmux server on which scripted programs play every state, for `rollcall demo`. */
export interface Stage {
  readonly socketPath: string;
  /** Folder for the stage's own state, so that the demo leaves the user's memory alone. */
  readonly folder: string;
  /** The script that plays agents, in that folder: no other program is taken for one of them. */
  readonly agent: string;
  /** Starts the cast; resolves when every program has taken its place. */
  open(): Promise<void>;
  /** Ends every session of the cast, and with the last one the server, and removes its files. */
  close(): Promise<StageEnd>;
}

/** What became of a stage: over, or kept alive by sessions that somebody added or changed. */
export type StageEnd =
  | { readonly state: 'over' }
  | { readonly state: 'kept'; readonly sessions: readonly string[] };

export type StageSetUp =
  | { readonly state: 'ready'; readonly stage: Stage }
  | { readonly state: 'refused'; readonly text: string; readonly hint: string };
