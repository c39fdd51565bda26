import type { SimProcess, SimTty } from './process.ts';
import type { SimTmuxServer } from './tmux-server.ts';

/** How a program ended, as the hook of rollcall writes it down. */
export interface WrittenEnd {
  readonly run: string;
  readonly status: number | null;
  readonly signal: string | null;
  readonly pid: number;
  readonly endedAt: number;
  readonly lines: readonly string[];
  readonly sessions: ReadonlyMap<string, number>;
}

/** What runs when the program of a pane has ended (`pane-died`), set for this very pane. */
export type EndHook =
  | { readonly kind: 'user' }
  /** One that does nothing and hides the user's own. */
  | { readonly kind: 'nothing' }
  /** False from `write`: it could not be written down. */
  | {
      readonly kind: 'record';
      readonly run: string;
      readonly isKept: boolean;
      write(end: WrittenEnd): boolean;
    };

/** A pane as tmux has it. */
export interface SimPane {
  /** `%7`. */
  readonly id: string;
  readonly server: SimTmuxServer;
  window: SimWindow;
  process: SimProcess;
  tty: SimTty;
  isDead: boolean;
  /** tmux has been told how it ended; a build with utempter may miss that. */
  ended: { readonly status: number | null; readonly signal: string | null } | null;
  modes: number;
  isSynchronized: boolean;
  isInputOff: boolean;
  isPiped: boolean;
  title: string;
  startCommand: string;
  startPath: string;
  readonly options: Map<string, string>;
  endHook: EndHook | null;
  screen: SimScreen;
}

/** What a pane shows. */
export interface SimScreen {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
  readonly isAlternate: boolean;
  /** Rows that have scrolled away. */
  readonly history: readonly string[];
  /** Since when it prints all the time (a spinner, a build); null where it stands still. */
  readonly printingSinceMs: number | null;
}

/** A window; as soon as it has a pane, it is never without one. */
export class SimWindow {
  /** `@3`. */
  readonly id: string;
  name: string;
  readonly panes: SimPane[] = [];
  /** The pane that has the keyboard; the first one where nobody has chosen. */
  chosen: SimPane | null = null;
  /** Epoch seconds of the last output in it. */
  activity: number;
  layout: string;
  /** Sessions that show it. */
  readonly sessions = new Set<SimSession>();

  constructor(id: string, name: string, activity: number) {
    [this.id, this.name, this.activity] = [id, name, activity];
    this.layout = `b25d,80x24,0,0,${id.slice(1)}`;
  }

  get active(): SimPane {
    const pane = this.chosen ?? this.panes[0];
    if (pane === undefined) throw new Error('a window without a pane');
    return pane;
  }
}

/** A session as tmux has it. */
export interface SimSession {
  /** By what a story knows it; a session that takes its place (reopened, restored) has the same. */
  readonly label: string;
  /** `$2`. */
  readonly id: string;
  readonly server: SimTmuxServer;
  name: string;
  readonly createdAtSeconds: number;
  windows: SimWindow[];
  current: SimWindow;
  group: string | null;
  lastAttachedAtSeconds: number;
  /** When the last person left it, by the clock of the story; tmux does not tell. */
  lastDetachedMs: number | null;
  lastInputMs: number | null;
  readonly options: Map<string, string>;
  /** Presses Enter in a pane, once, when somebody attaches. */
  onAttach: { readonly pane: SimPane; readonly pid: number } | null;
  isGone: boolean;
  readonly key: string;
}

/** Somebody, or something, that is attached. */
export interface SimClient {
  readonly id: string;
  session: SimSession;
  readonly process: SimProcess;
  readonly isControl: boolean;
  /** Epoch ms. */
  lastInputAt: number;
}

export const BLANK: SimScreen = {
  lines: [''],
  cursor: { x: 0, y: 0 },
  isAlternate: false,
  history: [],
  printingSinceMs: null,
};

/** The session that a pane is in; the first of them where several show its window. */
export function sessionOf({ window }: SimPane): SimSession {
  const [session] = window.sessions;
  if (session === undefined) throw new Error('this pane is in no session any more');
  return session;
}
