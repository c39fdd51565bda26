interface Window {
  readonly index: number;
  readonly name: string;
  readonly isActive: boolean;
  /** What `select-layout` takes. */
  readonly layout: string;
}

/** One window as it is laid out. */
export interface WindowLayout extends Window {
  readonly panes: readonly { readonly paneId: string; readonly isActive: boolean }[];
}

/** A window that is to be made. */
export interface WindowPlan extends Window {
  readonly panes: readonly { readonly cwd: string; readonly isActive: boolean }[];
}
