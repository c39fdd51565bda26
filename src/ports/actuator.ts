import type { ProcessMark, SessionIdentity } from '../core/sight/identity.ts';
import type { WindowLayout, WindowPlan } from '../core/sight/window.ts';

/** A session as it was judged: whatever bears its name or id later is another one unless all of this still holds. */
export type SessionTarget = SessionIdentity;

/** A pane of it, with the process that tmux started in it. */
export interface PaneTarget {
  readonly session: SessionTarget;
  readonly paneId: string;
  readonly pid: number;
}

/**
 * What came of an act. `changed`: tmux itself found that it is no longer what was judged, and did nothing. `stirred`: the
 * same, but only its output or its programs moved, so a new look may judge it again. `failed`: there was no answer, so
 * whether it was done has to be looked at.
 */
export type Acted =
  | { readonly state: 'done' }
  | { readonly state: 'changed'; readonly text: string }
  | { readonly state: 'stirred'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

export type NotDone = Exclude<Acted, { readonly state: 'done' }>;

/**
 * How tmux shows a session at one moment. It is taken before the look that judges; the command that acts compares all of
 * it once more, so that nothing that happened since the judgement began is overlooked.
 */
export interface Stance {
  readonly session: SessionTarget;
  readonly panes: readonly Omit<PaneTarget, 'session'>[];
  /** What tmux wrote, fact by fact; only tmux compares it. */
  readonly written: Readonly<Record<string, string>>;
  /** When it was told, on a clock that nobody can step; ms. Not before the moment that it shows. */
  readonly toldAt: number;
}

/** What of a stance need not hold when it is acted on, because somebody set it aside. */
export type SetAside = 'attached' | 'held' | 'mode' | 'motion';

/** What an act demands. */
export interface Terms {
  readonly stance: Stance;
  readonly aside: ReadonlySet<SetAside>;
  /** Text that the pane has to show at that moment. */
  readonly shown?: readonly string[];
}

export type Stanced = { readonly state: 'seen'; readonly stance: Stance } | NotDone;

/** What rollcall writes on a pane (tmux user options) and into its environment, so that it is known again. */
export interface PaneStamp {
  /** The run that started it: a random word, also `ROLLCALL_RUN` in the environment of what it started. */
  readonly run: string;
  readonly owner: string;
  readonly role: string | null;
  readonly task: string | null;
}

/** The environment of whoever starts a session. Its values may be secret. */
export interface CallerEnvironment {
  readonly values: Readonly<Record<string, string>>;
  /** Variables that are not the caller's to give: the program has what its tmux server has. */
  readonly leftToServer: readonly string[];
}

/** A program that is to be started in a pane. */
export interface PaneWish {
  readonly cwd: string;
  /** Never through a shell. */
  readonly argv: readonly string[];
  /** Given on purpose: they win over what the caller has. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes the place of what the tmux server has; absent: the program gets what tmux gives to every new session. */
  readonly caller?: CallerEnvironment;
  /** Variables that must not reach the program, wherever they come from. */
  readonly withoutEnv: readonly string[];
  readonly stamp: PaneStamp;
  /** Keep the pane when its program ends, at least until that was written down. */
  readonly remain: boolean;
  /** Keep it for good. */
  readonly isKept?: boolean;
  /** It is held when it ends, and that is not written down; `remain` and `isKept` are nothing to it. */
  readonly isUnrecorded?: true;
}

/**
 * What becomes of a pane when its program ends: tmux writes that down for a run and removes the pane, unless it is to be
 * kept; or the pane is held, and nothing is written down.
 */
export type PaneEnd =
  | 'held'
  | { readonly run: string; readonly isKept: boolean }
  /** As the user has it, with what they set for this pane (`remain-on-exit`), if anything. */
  | { readonly remain: string | null };

/** A session that is to be started with it. */
export interface SessionWish extends PaneWish {
  readonly name: string;
  readonly size?: { readonly columns: number; readonly rows: number };
}

export type StartedSession =
  | {
      readonly state: 'started';
      readonly server: {
        readonly socketPath: string;
        readonly pid: number;
        /** When it began, as it wrote down itself while it certainly lived; absent where it could not. */
        readonly startTicks?: number;
      };
      readonly sessionId: string;
      readonly createdAtSeconds: number;
      /** As tmux stores it. */
      readonly name: string;
      readonly paneId: string;
      readonly pid: number;
    }
  | { readonly state: 'name-taken'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

export type StartedInPane = Extract<StartedSession, { readonly state: 'started' }> | NotDone;

export type Stamped =
  | {
      readonly state: 'read';
      readonly run: string | null;
      /** The run that made the session that the pane is in: a pane can be moved, and takes its own mark along. */
      readonly sessionRun: string | null;
      /** tmux has still to write down how its program ends, or to remove the pane after that. */
      readonly isEndPending: boolean;
      /** What is set for the pane itself (`remain-on-exit`); null where nothing is. */
      readonly remain: string | null;
      /** The same as it holds where nothing is set for the pane itself. */
      readonly inherited: string;
      /** Somebody set a hook for the end of its program (`pane-died`) for this very pane. */
      readonly hasOwnHook: boolean;
    }
  | NotDone;

export type ScreenHistory =
  | { readonly state: 'captured'; readonly text: string; readonly isCut: boolean }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly text: string };

/** Changes sessions of a tmux server. Every act names what it was meant for, and tmux compares before it acts. */
export interface TmuxActuator {
  /** Starts the server too where none runs. Sets no option but on the new session and its pane. */
  startSession(socketPath: string, wish: SessionWish): Promise<StartedSession>;
  /**
   * Starts it in a pane that is there, in the place of the process that runs in it or ran in it last: that one is ended, so
   * whoever asks has proven that it may be. `changed` where another process is in the pane. With terms, the whole session
   * has to stand as it stood.
   */
  startInPane(pane: PaneTarget, wish: PaneWish, terms?: Terms): Promise<StartedInPane>;
  /** Has tmux press Enter in the pane, while that process runs in it, when a client attaches to its session; or no longer. */
  enterOnAttach(pane: PaneTarget, isOn: boolean): Promise<Acted>;
  /** Says what becomes of the pane when its program ends. */
  setEnd(pane: PaneTarget, how: PaneEnd): Promise<Acted>;
  stamp(pane: PaneTarget, stamp: PaneStamp): Promise<Acted>;
  /** The runs that a pane and its session are stamped with; null where they bear none. Also of a dead pane, whose environment is gone. */
  runOf(pane: PaneTarget): Promise<Stamped>;
  /**
   * Takes back `remain` where tmux does not write down how the program ends: from now on the pane goes with it, as the
   * user's tmux has it.
   */
  letGo(pane: PaneTarget): Promise<Acted>;
  /** Writes on the session since when it is held (epoch ms), or takes that off: it is held for whoever sees it. */
  markHeld(session: SessionTarget, since: number | null): Promise<Acted>;
  /**
   * Has tmux look which programs have ended: builds with utempter (up to 3.5) miss some, and then tell of a dead pane
   * without its exit status.
   */
  wake(session: SessionTarget): Promise<Acted>;
  /** How the session stands at this moment, in one command. */
  stance(session: SessionTarget): Promise<Stanced>;
  /** Whether all of it is still so; does nothing. */
  confirm(terms: Terms): Promise<Acted>;
  /**
   * Has tmux send it to these processes in the same step as it compares, to each that is still the one that was judged. Of
   * what was sent nothing is told. Null where tmux cannot know a process again.
   */
  readonly signal:
    | ((terms: Terms, processes: readonly ProcessMark[], signal: 'SIGTERM' | 'SIGKILL') => Promise<Acted>)
    | null;
  /** Types text as it is, if the pane still stands so and is in no mode; no Enter. */
  type(pane: PaneTarget, text: string, terms: Terms): Promise<Acted>;
  /** Presses a key so often, under the same terms. */
  press(pane: PaneTarget, key: 'Enter' | 'BSpace', terms: Terms, times?: number): Promise<Acted>;
  /** Everything the pane still remembers, screen included, as text. */
  history(pane: PaneTarget): Promise<ScreenHistory>;
  layout(session: SessionTarget): Promise<readonly WindowLayout[] | null>;
  /**
   * Adds panes and windows until the session is laid out like this around its own pane, which is in the first of them; all in
   * one command. Done again it makes what was not begun, and nothing twice; `failed` then tells what is not as planned.
   */
  layOut(pane: PaneTarget, windows: readonly WindowPlan[]): Promise<Acted>;
  /** Removes the session if all of it still stands so. Grouped sessions: only this one goes, its windows live on. */
  removeSession(terms: Terms): Promise<Acted>;
}

type Refused = { readonly state: 'refused'; readonly text: string };

/** Sends signals to processes that are still the ones that were judged. */
export interface ProcessActuator {
  /** Whether it may be signalled. `gone` also when another process has its number by now. */
  reach(process: ProcessMark): { readonly state: 'there' } | { readonly state: 'gone' } | Refused;
  /** Whether nothing has its number any more, by the word of the kernel: also where processes are hidden. */
  isProvenGone(process: ProcessMark): boolean;
  /** Looks at the start mark at the last moment. */
  signal(
    process: ProcessMark,
    signal: 'SIGTERM' | 'SIGCONT' | 'SIGKILL',
  ): { readonly state: 'sent' | 'gone' } | Refused;
}
