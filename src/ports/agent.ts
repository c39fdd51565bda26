import type { ConversationChoice } from '../core/agent/choice.ts';
import type { HookEvent, HookMeaning, HookMemory } from '../core/agent/hook-memory.ts';
import type { Resumption, StartedAs } from '../core/agent/resumption.ts';
import type { AgentSign, SignSource } from '../core/agent/sign.ts';
import type { VersionRange } from '../core/agent/version.ts';
import type { ConversationClues } from '../core/conversation/clues.ts';
import type { ScreenSighting } from '../core/sight/sighting.ts';
import type { ProcessRelation, ProgramRole } from '../core/verdict/evidence.ts';
import type { OwnTodo } from './gate.ts';

/** A live agent process, as an adapter is told of it. */
export interface AgentProcess {
  readonly pid: number;
  /** The number that it knows itself by, in a container; absent where nobody asked for that. */
  readonly pidInside?: number;
  readonly startTicks: number;
  readonly startedAt: number;
  readonly argv: readonly string[];
  readonly cwd?: string;
  /** What it was started with, read at the first call; null where that is not ours to read. */
  env(): Readonly<Record<string, string>> | null;
}

/** Another process of the agent's pane. */
export interface PaneProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly startTicks: number;
  readonly startedAt: number;
  readonly argv: readonly string[];
  readonly role: ProgramRole;
  /** `outside`: it left the pane's tree and carries the pane's mark in its environment. */
  readonly relation: ProcessRelation;
}

/** Everything that an adapter may look at to tell what the agent in one pane is doing. */
export interface AgentScene {
  readonly paneId: string;
  readonly title: string;
  readonly server: { readonly socketPath: string; readonly pid: number };
  /** The innermost process of its kind: behind `node …/gemini.js` the one that it relaunched itself as. */
  readonly agent: AgentProcess;
  /** Processes of the same kind above it, outermost first. */
  readonly launchers: readonly AgentProcess[];
  /** What runs below the agent, and what left the tree. */
  others(): readonly PaneProcess[];
  /** What the hooks of this kind of agent have told, newest first; which of them speak of this one is for the adapter. */
  readonly hooks: readonly HookMemory[];
  readonly now: number;
}

/** Why less is known of a running agent than could be. */
export interface AgentGap {
  readonly code:
    | 'hooks-silent'
    | 'transcript-off'
    | 'status-missing'
    | 'animations-off'
    | 'version-unverified'
    | 'environment-unreadable'
    | 'conversation-unknown';
  readonly text: string;
}

export type MayBeIn = 'any' | readonly string[];

/** What an agent's own sources tell without its screen. */
export interface AgentReading {
  readonly version?: string;
  readonly conversation?: string;
  /** Only its command line names that, so it may have gone on to another since. */
  readonly isOnlyNamed?: boolean;
  /** Besides, it may be in one of these, or in any: what tells of it could not be read, or tells of several. */
  readonly mayBeIn?: MayBeIn;
  /** The path of its transcript, found by evidence. */
  readonly transcript?: string;
  /** The argv that brings the conversation back, where known. */
  readonly resume?: readonly string[];
  readonly signs: readonly AgentSign[];
  readonly gaps: readonly AgentGap[];
  /** Sources that should have answered and could not: they prove nothing, and that is shown. */
  readonly failures: readonly { readonly source: SignSource; readonly text: string }[];
}

export type CapturedScreen = Extract<ScreenSighting, { state: 'captured' }>;

/** How an agent is asked to leave. */
export interface AgentExit {
  /** What is typed at a ready, empty prompt, followed by Enter. */
  readonly command: string;
  /** Whom SIGTERM must reach: the agent process, or its whole process group because a launcher swallows it. */
  readonly signal: 'process' | 'group';
}

/** A command line that is about to be started, made so that the agent can be told from others. */
export interface PreparedStart {
  readonly argv: readonly string[];
  /** The conversation that it will hold, where that can be chosen. */
  readonly conversation?: string;
}

/** The hooks of one kind of agent. */
export interface AgentHooks {
  /** The events that rollcall listens to. */
  readonly events: readonly string[];
  /** Null for an event that says nothing. Never throws, whatever the payload. */
  translate(event: HookEvent): HookMeaning | null;
  /** Whether an agent that was started so sends its hooks from its own pane. Absent: always. Pure. */
  isFromPane?(argv: readonly string[]): boolean;
}

/** What a stop event says in the words of one kind of agent. */
export interface StopSaid {
  readonly conversation: string | null;
  readonly isSubagent: boolean;
  /** It goes on already because some stop hook wanted it to. */
  readonly isContinued: boolean;
  /** The path of its transcript, where the event tells. */
  readonly transcript: string | null;
}

/** How one kind of agent is kept going when it wants to stop. */
export interface AgentGate {
  /** The event that ends a turn. */
  readonly event: string;
  /** Null for whatever is not that event, whole and understood. Never throws, whatever the payload. */
  read(payload: Readonly<Record<string, unknown>> | null): StopSaid | null;
  /** Whether its user has just interrupted it; only where it sends the same event then. Never throws. */
  isInterrupted?(said: StopSaid): boolean;
  /** What the hook prints so that the agent goes on, with the reason as its next instruction: one line of JSON. */
  block(reason: string): string;
  /** How many blocks in a row it takes before it stops anyway; null: no end is known. */
  cap(env: Readonly<Record<string, string | undefined>>): number | null;
  /** Its hooks may come from a daemon outside of the pane, so that the pane cannot be told from their environment. */
  readonly hasDaemon: boolean;
  /** It asks rollcall by itself at the end of a turn, without a hook in between. */
  readonly asksItself?: boolean;
  /** A run of the same program that answers for itself and is no agent in a pane, such as one without a screen. */
  isOther?(argv: readonly string[]): boolean;
  /** The conversation that a command line takes up again, as itself and not as a fork. */
  resumes(argv: readonly string[]): string | null;
  /**
   * Whether the conversation of a stop carries another one on, by what it holds itself; only for agents that give a
   * resumed conversation another id. A command line alone does not tell: it is the same after everything was cleared.
   */
  continues?(said: StopSaid, conversation: string): boolean;
  /** What its own list of things to do says is left. Never throws. */
  todo(stop: {
    readonly conversation: string;
    readonly transcript: string | null;
    readonly env: Readonly<Record<string, string | undefined>>;
  }): OwnTodo | Promise<OwnTodo>;
}

/** What a resume of a conversation would read, as it is on the disk now. */
export interface ConversationSight {
  /** What stands against a resume; null: it is there, whole, of that id, and has a turn. */
  readonly lacks: string | null;
  /** All of its files that are there, the one that it is found by first; none where it is no file of its own. */
  readonly files: readonly string[];
  /** When the agent deletes it by itself, by its settings; null where no such end is known. */
  readonly deletedAt: number | null;
}

/** Where one kind of agent keeps its conversations. */
export interface AgentConversations {
  /** The folder that they are below; null where that cannot be told. Pure. */
  folder(clues: ConversationClues): string | null;
  /** Reads what a resume would read. For a conversation whose agent has left. Never throws. */
  read(clues: ConversationClues): Promise<ConversationSight>;
}

/** What rollcall must know of one kind of agent. Adding an agent is adding one of these, and its fixtures. */
export interface AgentAdapter {
  readonly kind: string;
  /** Exact recognition by the words of a command line; a path that merely contains the name is not the agent. */
  recognises(argv: readonly string[]): boolean;
  /**
   * A server of the vendor's that works for agents of other panes too, whichever pane started it: neither it nor what
   * it runs is that pane's, and closing the pane ends none of it.
   */
  isShared?(argv: readonly string[]): boolean;
  /** Adds what makes a new agent identifiable, and nothing that the caller has decided otherwise. */
  prepare?(argv: readonly string[]): PreparedStart;
  /**
   * How a command line comes to its conversation, also one that talks to nobody (`claude -p`); null where it is another
   * program or holds none. Absent where that is not known. Pure.
   */
  choice?(argv: readonly string[], cwd: string | undefined): ConversationChoice | null;
  /** Asks everything but the screen. Absent where only the process can be recognised. Never throws or rejects. */
  listen?(scene: AgentScene): AgentReading | Promise<AgentReading>;
  /** Reads the agent's screen; null when nothing on it is understood. Pure. */
  readScreen?(screen: CapturedScreen, reading: AgentReading): AgentSign | null;
  /** The versions on which all of this was verified. */
  readonly verified?: VersionRange;
  readonly hooks?: AgentHooks;
  readonly gate?: AgentGate;
  readonly exit?: AgentExit;
  /**
   * How a conversation is brought back by what the agent was started with, or by its id alone; null where it cannot be.
   * Without an id: how a new one is begun in the same way. Pure.
   */
  resume?(conversation: string | null, startedAs?: StartedAs): Resumption | null;
  /** Absent where nothing is known of its conversations' files. */
  readonly conversations?: AgentConversations;
}
