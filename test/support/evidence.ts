import type { SpokenPane } from '../../src/core/memory/spoken-pane.ts';
import type { ClientSighting, GitSighting } from '../../src/core/sight/sighting.ts';
import type { Moment } from '../../src/core/text/moment.ts';
import type {
  AgentEvidence,
  AgentSignEvidence,
  ClockEvidence,
  Evidence,
  GitEvidence,
  HistoryEvidence,
  MassDeathEvidence,
  PaneEvidence,
  PeopleEvidence,
  ProcessEvidence,
  ProcessNote,
  ScreenEvidence,
  StandingEvidence,
  UnavailableEvidence,
} from '../../src/core/verdict/evidence.ts';
import type { Policy } from '../../src/core/verdict/policy.ts';
import type { Source } from '../../src/core/verdict/verdict.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The instant at which all evidence below was seen, three days after boot. */
export const NOW: Moment = { at: 1_800_000_000_000, awakeMs: 3 * DAY, suspendedMs: 0 };

export const POLICY: Policy = {
  freshMs: 15 * SECOND,
  idleAfterMs: 45 * MINUTE,
  exitedAfterMs: MINUTE,
  confirmMs: 10 * SECOND,
  hungAfterMs: 6 * HOUR,
  startingMs: 5 * SECOND,
  recentInputMs: 2 * MINUTE,
  workingCpuPercent: 25,
  workingIoBytesPerSecond: 262_144,
  roles: new Map(),
  defaultRole: {
    onComplete: 'retain',
    retainForMs: 10 * MINUTE,
    idleAfterMs: null,
    requires: [],
    commands: [],
    commandTimeoutMs: 5 * MINUTE,
  },
};

export type Repository = Extract<GitSighting, { state: 'repository' }>;

const SEEN = { observedAt: NOW.at } as const;
const PANE = { ...SEEN, paneId: '%1' } as const;

/** A live pane whose last output was an hour ago. */
export function pane(over: Partial<PaneEvidence> = {}): PaneEvidence {
  return {
    kind: 'pane',
    source: 'tmux',
    ...PANE,
    isDead: false,
    lastOutputAt: NOW.at - HOUR,
    isFullScreen: false,
    isInMode: false,
    isWindowShared: false,
    title: '',
    ...over,
  };
}

/** A command in the foreground under the pane's shell (pid 100), started two hours ago. */
export function note(over: Partial<ProcessNote> = {}): ProcessNote {
  const program = over.program ?? 'make';
  return {
    pid: 200,
    startTicks: 2,
    parentPid: 100,
    program,
    command: program,
    role: 'command',
    relation: 'foreground',
    startedAt: NOW.at - 2 * HOUR,
    memoryBytes: 1024,
    ...over,
  };
}

/** The shell that tmux started in the pane. */
export function shell(over: Partial<ProcessNote> = {}): ProcessNote {
  return note({ pid: 100, parentPid: 1, program: 'bash', role: 'shell', relation: 'root', ...over });
}

/** An agent that runs under the pane's shell. */
export function agent(over: Partial<ProcessNote> = {}): ProcessNote {
  return note({ pid: 300, program: 'claude', role: 'agent', agentKind: 'claude', ...over });
}

export function processes(
  notes: readonly ProcessNote[] = [shell()],
  over: Partial<ProcessEvidence> = {},
): ProcessEvidence {
  return { kind: 'processes', source: 'process', ...PANE, processes: notes, ...over };
}

/** A screen with an empty prompt. */
export function screen(over: Partial<ScreenEvidence> = {}): ScreenEvidence {
  return { kind: 'screen', source: 'screen', ...PANE, isPromptEmpty: true, tail: ['$ '], ...over };
}

/** Nobody is there, and nobody was for a day. */
export function people(over: Partial<PeopleEvidence> = {}): PeopleEvidence {
  return {
    kind: 'people',
    source: 'people',
    ...SEEN,
    clients: [],
    isThroughGroup: false,
    lastAttachedAt: NOW.at - DAY,
    awayMs: DAY,
    ...over,
  };
}

export function client(over: Partial<ClientSighting> = {}): ClientSighting {
  return { sessionId: '$1', tty: '/dev/pts/9', pid: 900, isControl: false, ...over };
}

/** A clean repository whose branch is pushed. */
export function git(over: Partial<Repository> = {}, seen: Partial<GitEvidence> = {}): GitEvidence {
  const facts: Repository = {
    state: 'repository',
    cwd: '/project',
    ...SEEN,
    root: '/project',
    isLinkedWorktree: false,
    branch: 'topic',
    dirtyFiles: 0,
    unpushedCommits: 0,
    hasRemote: true,
    stashes: 0,
    isMerged: false,
    ...over,
  };
  return { kind: 'git', source: 'git', ...PANE, facts, ...seen };
}

/** Seen often, and quiet for an hour. */
export function history(over: Partial<HistoryEvidence> = {}): HistoryEvidence {
  return { kind: 'history', source: 'history', ...PANE, observations: 9, quietMs: HOUR, ...over };
}

/** Which agent it is, and how it is brought back. */
export function named(over: Partial<AgentEvidence> = {}): AgentEvidence {
  return {
    kind: 'agent',
    source: 'agent',
    ...PANE,
    agentKind: 'claude',
    agentPid: 300,
    agentVersion: '2.1',
    conversation: 'c-1',
    resume: ['claude', '--resume', 'c-1'],
    gaps: [],
    ...over,
  };
}

/** A sign of an agent that tells nothing yet. */
export function sign(over: Partial<AgentSignEvidence> = {}): AgentSignEvidence {
  return {
    kind: 'agent-sign',
    source: 'agent',
    ...PANE,
    agentKind: 'claude',
    agentPid: 300,
    isLive: true,
    isVerified: true,
    text: 'seen',
    ...over,
  };
}

/** The agent's own word on everything: that its turn is over, unless it says otherwise. */
export function word(over: Partial<AgentSignEvidence> = {}): AgentSignEvidence {
  const rest = { turn: 'over', waitingFor: null, background: 0, hasDraft: false, isReady: true } as const;
  return sign({ ...rest, text: 'idle', ...over });
}

/** What a completion spoke for that was said of the only pane while its agent still worked. */
export function spoken(over: Partial<SpokenPane> = {}): SpokenPane {
  const root = { paneId: '%1', at: NOW.at - 3 * HOUR, pid: 100, startTicks: 2 };
  return { ...root, agents: [{ pid: 300, startTicks: 2 }], ...over };
}

export function unavailable(source: Source, over: Partial<UnavailableEvidence> = {}): UnavailableEvidence {
  return { kind: 'sensor-unavailable', source, ...SEEN, text: `${source} does not answer`, ...over };
}

export function massDeath(over: Partial<MassDeathEvidence> = {}): MassDeathEvidence {
  return { kind: 'mass-death', source: 'history', ...SEEN, dead: 9, of: 10, ...over };
}

export function clock(over: Partial<ClockEvidence> = {}): ClockEvidence {
  return { kind: 'clock', source: 'host', ...SEEN, suspendedMs: 0, steppedMs: 0, ...over };
}

export function standing(over: Partial<StandingEvidence> = {}): StandingEvidence {
  return { kind: 'standing', source: 'declared', ...SEEN, isOwnSession: false, isManaged: true, ...over };
}

/** What belongs to the session as a whole. */
export function surroundings(): Evidence[] {
  return [people(), clock(), standing()];
}

/** A shell at its prompt in which no agent was ever seen. */
export function plainShell(): Evidence[] {
  return [pane(), processes(), history(), screen(), git(), ...surroundings()];
}

/** The bare shell that an agent left behind, with every proof that it may go. */
export function exitedAgent(): Evidence[] {
  return [pane(), processes(), history({ agentSeen: 'claude' }), screen(), git(), ...surroundings()];
}

/** An agent at rest, with every proof that it may go. */
export function idleAgent(): Evidence[] {
  const seen = [
    pane({ isFullScreen: true }),
    processes([shell(), agent()]),
    history({ agentSeen: 'claude' }),
  ];
  return [...seen, named(), word(), screen({ isPromptEmpty: null }), git(), ...surroundings()];
}

/** A pane that tmux kept after its program had ended with status 0. */
export function deadPane(): Evidence[] {
  return [pane({ isDead: true, exitStatus: 0 }), processes([]), history(), git(), ...surroundings()];
}

/** An agent that sleeps, and the sleeper that waits in its pane, with every proof that it may go. */
export function sleepingAgent(over: Partial<PaneEvidence> = {}): Evidence[] {
  const asleep = {
    ...{ at: NOW.at - HOUR, receipt: 'r-1', agentKind: 'claude', conversation: 'c-1', freedBytes: 2 ** 28 },
  };
  const sleeper = shell({ program: 'sh', role: 'sleeper' });
  return [
    ...[pane({ asleep, ...over }), processes(over.isDead ? [] : [sleeper]), history({ agentSeen: 'claude' })],
    ...[screen({ isPromptEmpty: null }), git(), ...surroundings()],
  ];
}

/** The same evidence, with the pieces of the replacements' kinds and panes replaced. */
export function withPieces(evidence: readonly Evidence[], ...replacements: readonly Evidence[]): Evidence[] {
  const isReplaced = (piece: Evidence) => replacements.some((one) => subject(one) === subject(piece));
  return [...evidence.filter((piece) => !isReplaced(piece)), ...replacements];
}

/** The same evidence without the pieces of these kinds. */
export function without(evidence: readonly Evidence[], ...kinds: readonly Evidence['kind'][]): Evidence[] {
  return evidence.filter((piece) => !kinds.includes(piece.kind));
}

/** The same evidence as if it spoke of another pane. */
export function onPane(paneId: string, evidence: readonly Evidence[]): Evidence[] {
  return evidence.map((piece) => ('paneId' in piece ? { ...piece, paneId } : piece));
}

function subject(piece: Evidence): string {
  return `${piece.kind} ${'paneId' in piece ? piece.paneId : ''}`;
}
