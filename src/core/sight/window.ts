interface Window {
  readonly index: number;
  readonly name: string;
  readonly isActive: boolean;
  /** What `select-layout` takes. */
  readonly layout: string;
}

/** One window as it is laid out. */
export interface WindowLayout extends Window {
  readonly panes: readonly {
    readonly paneId: string;
    readonly isActive: boolean;
    /** The words that tmux was given to run in it; absent for its usual shell, null where they cannot be told. */
    readonly command?: readonly string[] | null;
    /** Where they were run; absent where that is not known. */
    readonly cwd?: string;
  }[];
}

/** A window that is to be made. */
export interface WindowPlan extends Window {
  readonly panes: readonly {
    /** The pane that it was; absent where nothing tells. */
    readonly paneId?: string;
    readonly cwd: string;
    readonly isActive: boolean;
    /** It is there already: the pane that the session was started with. */
    readonly isThere?: true;
    /** As tmux takes it: one word is for a shell, several are a program and its arguments. */
    readonly command?: readonly string[];
  }[];
}
