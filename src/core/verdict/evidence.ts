import type { AgentSign, SignSource } from '../agent/sign.ts';
import type { RememberedInput } from '../memory/shell-input.ts';
import type { ProcessMark } from '../sight/identity.ts';
import type { ClientSighting, GitSighting, PaneSighting } from '../sight/sighting.ts';
import type { PaneSleep } from '../sleep/asleep.ts';
import type { Declared } from './declared.ts';
import type { Source } from './verdict.ts';

interface Seen<Kind extends string, From extends Source> {
  readonly kind: Kind;
  readonly source: From;
  readonly observedAt: number;
}

interface SeenInPane<Kind extends string, From extends Source> extends Seen<Kind, From> {
  readonly paneId: string;
}

// Where a pane is, and how it was started, proves nothing.
type NotOfPane = keyof Pick<
  PaneSighting,
  'windowIndex' | 'paneIndex' | 'isActive' | 'pid' | 'startCommand' | 'startPath' | 'currentPath'
>;

/** tmux's word on one pane; its program has ended by proof where it is dead. */
export interface PaneEvidence extends SeenInPane<'pane', 'tmux'>, Omit<PaneSighting, NotOfPane> {
  /** The process that has ended in it. */
  readonly deadPid?: number;
  /** What sleeps in it, by the ledger: the pane's process is the sleeper that rollcall put there. */
  readonly asleep?: PaneSleep;
}

/**
 * What a program is to a supervisor, judged from its exact name and arguments, never from a substring. A sleeper waits in the
 * place of an agent that rollcall put to sleep; the ledger knows it by its process.
 */
export const ROLES = ['shell', 'interactive', 'remote', 'wrapper', 'agent', 'command', 'sleeper'] as const;
export type ProgramRole = (typeof ROLES)[number];

/** How a process is attached to a pane; `outside`: it was started there and detached. */
export const PROCESS_RELATIONS = ['root', 'foreground', 'background', 'stopped', 'outside'] as const;
export type ProcessRelation = (typeof PROCESS_RELATIONS)[number];

/** What agents start beside their tools, and what goes on running when they are gone. */
export const HELPER_KINDS = ['MCP server', 'language server', 'browser'] as const;
export type HelperKind = (typeof HELPER_KINDS)[number];

/** A process with what it runs; secrets in its command line are masked. */
export interface NamedProcess extends ProcessMark {
  readonly program: string;
  readonly command: string;
}

/** A process for a person. */
export function named({ program, pid }: Pick<NamedProcess, 'program' | 'pid'>): string {
  return `${program} (pid ${pid})`;
}

/** One process of a pane. */
export interface ProcessNote extends NamedProcess {
  readonly parentPid: number;
  readonly role: ProgramRole;
  readonly agentKind?: string;
  readonly relation: ProcessRelation;
  readonly startedAt: number;
  /** Use of one core since the previous observation; absent when there was none. */
  readonly cpuPercent?: number;
  readonly ioBytesPerSecond?: number;
  readonly memoryBytes: number;
  /** What agents start beside their tools: it does nothing of its own accord. */
  readonly helper?: HelperKind;
  /** Why it is nobody's to end, although something ties it to the pane. */
  readonly kept?: string;
  /** A daemon or a server that serves others too and left the session that happened to start it: no work of its. */
  readonly isKeeper?: true;
}

/** What runs below a daemon that several panes share, and bears the mark of this pane, which started the daemon. */
export interface SharedNote extends NamedProcess {
  /** The conversations that it was started for, by its environment; none where it does not tell. */
  readonly conversations: readonly string[];
}

/** What has a pane's terminal open, although neither its tree, its terminal session nor its mark ties it to the pane. */
export interface TerminalUser extends NamedProcess {
  /** The tmux server itself runs it, and it goes with the session: that is the last one, or it is piped into a pane. */
  readonly isJob?: true;
}

/** The processes of one pane, inside its tree and outside it. */
export interface ProcessEvidence extends SeenInPane<'processes', 'process'> {
  readonly processes: readonly ProcessNote[];
  /** Absent where there is none. */
  readonly shared?: readonly SharedNote[];
  /** Null where it cannot be told. Absent before it is asked: only where everything cheaper speaks for closing. */
  readonly terminalUsers?: readonly TerminalUser[] | null;
  /** Why what it works in cannot be seen; absent where it can. */
  readonly unseen?: string;
}

/** What the visible screen of a pane shows. */
export interface ScreenEvidence extends SeenInPane<'screen', 'screen'> {
  /**
   * A shell waits in its line editor, at its prompt, with nothing typed: true only where the shell and its terminal prove
   * it; null when the line is not understood, or not proven.
   */
  readonly isPromptEmpty: boolean | null;
  /** Why a line that looks like an empty prompt is not proven to be one. */
  readonly promptDoubt?: string;
  /** The last lines that hold text, for `explain`. */
  readonly tail: readonly string[];
}

/** Who is, or was, in the session. */
export interface PeopleEvidence extends Seen<'people', 'people'> {
  readonly clients: readonly ClientSighting[];
  /** Some of the clients are attached to another session of the same group. */
  readonly isThroughGroup: boolean;
  readonly lastAttachedAt?: number;
  /** Awake time for which nobody has been there for certain; absent where nobody ever was. */
  readonly awayMs?: number;
}

/** git facts of a pane's working directory. */
export interface GitEvidence extends SeenInPane<'git', 'git'> {
  /** When the work in the session can have begun: what was left unsaved before that is not its. 0: nobody can tell. */
  readonly since?: number;
  /** Why its repository cannot be seen; absent where it can. */
  readonly unseen?: string;
  readonly facts: GitSighting;
}

/** What earlier observations of the same pane add to this one. */
export interface HistoryEvidence extends SeenInPane<'history', 'history'> {
  /** An agent was seen in this pane, now or before. */
  readonly agentSeen?: string;
  readonly observations: number;
  /** Awake time over which neither processes, CPU, storage nor output changed. */
  readonly quietMs: number;
  /** Awake time since a change was last seen; absent when none was. */
  readonly disturbedMs?: number;
  /** Why it cannot be said that nothing was entered in the shell in front; absent where nothing was. */
  readonly entered?: string;
  /** The shell in front, as this look found it waiting. */
  readonly input?: RememberedInput;
  /** What has ended a completion that spoke for this pane: it was used after that. */
  readonly used?: string;
  /** When its agent was first seen at rest after a completion that it was declared with. */
  readonly restedAt?: number;
}

/** Which agent runs in a pane, as far as its adapter could find out. */
export interface AgentEvidence extends SeenInPane<'agent', 'agent'> {
  readonly agentKind: string;
  readonly agentPid: number;
  readonly agentVersion?: string;
  readonly conversation?: string;
  readonly transcript?: string;
  /** The argv that brings the conversation back, where known. */
  readonly resume?: readonly string[];
  /** Why less is known of it than could be. */
  readonly gaps: readonly { readonly code: string; readonly text: string }[];
}

/** What one source tells about an agent. */
export interface AgentSignEvidence extends SeenInPane<'agent-sign', SignSource>, AgentSign {
  readonly agentKind: string;
  readonly agentPid: number;
}

/** A sensor could not look. It proves nothing, and that is shown. */
export interface UnavailableEvidence extends Seen<'sensor-unavailable', Source> {
  /** The pane it would have spoken of; absent when it concerns the whole session. */
  readonly paneId?: string;
  readonly text: string;
}

/** Nearly every pane of the server died between two looks: a fault of the system, not so many deaths. */
export interface MassDeathEvidence extends Seen<'mass-death', 'history'> {
  readonly dead: number;
  readonly of: number;
}

/** Time that passed on the wall clock but not for the programs. */
export interface ClockEvidence extends Seen<'clock', 'host'> {
  readonly suspendedMs: number;
  readonly steppedMs: number;
}

/** How the session stands to rollcall and to people's wishes. */
export interface StandingEvidence extends Seen<'standing', 'declared'>, Declared {
  readonly isOwnSession: boolean;
  /** Started, adopted or reopened by rollcall. */
  readonly isManaged: boolean;
  readonly protectedBy?: string;
  /** What is wrong with the file of the project that it works in: it may have asked for more care. */
  readonly brokenProject?: string;
  /** A daemon runs that closes it by itself once it is due. */
  readonly isSettled?: true;
  /** A close of it is on its way, by a process that lives. */
  readonly closing?: { readonly at: number; readonly isSleep?: true };
}

export type Evidence =
  | PaneEvidence
  | ProcessEvidence
  | ScreenEvidence
  | PeopleEvidence
  | GitEvidence
  | HistoryEvidence
  | AgentEvidence
  | AgentSignEvidence
  | UnavailableEvidence
  | MassDeathEvidence
  | ClockEvidence
  | StandingEvidence;
