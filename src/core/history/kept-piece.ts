import { SIGN_SOURCES } from '../agent/sign.ts';
import { GIT_OPERATIONS } from '../sight/sighting.ts';
import type { Evidence } from '../verdict/evidence.ts';
import { WAITING_FOR } from '../verdict/verdict.ts';
import type { Shape } from './shape.ts';
import { keep } from './shape.ts';

/**
 * One piece of evidence as it is kept: what the classifier asks for, and nothing else. Screens, titles, drafts, command
 * lines, folders, branches and the words of a declaration are somebody's text, which may hold secrets and proves nothing
 * here: they never enter the history.
 */
export interface KeptPiece {
  readonly kind: Evidence['kind'];
  /** Whole seconds; left out where it was seen in that very round. */
  readonly ageMs?: number;
  readonly [field: string]: unknown;
}

const SOURCES = ['tmux', 'process', 'people', 'git', 'history', 'declared', 'host', ...SIGN_SOURCES] as const;
const ROLES = ['shell', 'interactive', 'remote', 'wrapper', 'agent', 'command', 'sleeper'] as const;
const HELPERS = ['MCP server', 'language server', 'browser'] as const;
const RELATIONS = ['root', 'foreground', 'background', 'stopped', 'outside'] as const;

const NOTE: Shape = {
  fields: {
    ...{
      pid: 'number',
      'startTicks?': 'number',
      parentPid: 'number',
      program: 'text',
      role: { word: ROLES },
    },
    ...{ 'agentKind?': 'text', relation: { word: RELATIONS }, startedAt: 'number' },
    ...{ 'cpuPercent?': 'number', 'ioBytesPerSecond?': 'number', 'helper?': { word: HELPERS } },
    'isKeeper?': 'flag',
  },
};

const REPOSITORY: Readonly<Record<string, Shape>> = {
  ...{ state: { word: ['repository', 'none', 'failed'] }, 'hasRemote?': 'flag', 'isMerged?': 'flag' },
  ...{ 'dirtyFiles?': 'number', 'unpushedCommits?': 'number', 'stashes?': 'number' },
  'operation?': { word: GIT_OPERATIONS },
  'branches?': { list: { fields: { 'commits?': 'number', changedAt: 'number', isOwn: 'flag' } } },
};

const BELOW: Shape = {
  fields: {
    ...{ count: 'number', isCut: 'flag' },
    unsaved: { list: { fields: { ...REPOSITORY, isSubmodule: 'flag', changedAt: 'number' } } },
  },
};

const GIT: Shape = { fields: { ...REPOSITORY, 'below?': BELOW } };

const GATE: Shape = {
  fields: {
    ...{ at: 'number', 'awakeMs?': 'number', id: 'text', expiresAt: 'number' },
    stale: { either: ['null', { fields: { at: 'number', code: 'text' } }] },
  },
};

const SPOKEN: Shape = {
  fields: {
    ...{ paneId: 'text', at: 'number', pid: 'number', startTicks: 'number', 'isAtRest?': 'flag' },
    agents: { list: { fields: { pid: 'number', startTicks: 'number' } } },
  },
};

const FIELDS: Readonly<Record<Evidence['kind'], Readonly<Record<string, Shape>>>> = {
  pane: {
    'hasNoTerminal?': 'flag',
    ...{ paneId: 'text', isDead: 'flag', 'exitStatus?': 'number', 'exitSignal?': 'text' },
    ...{ 'lastOutputAt?': 'number', 'isFullScreen?': 'flag', isInMode: 'flag', isWindowShared: 'flag' },
    'asleep?': { fields: { at: 'number' } },
  },
  processes: {
    ...{ paneId: 'text', processes: { list: NOTE } },
    'isUnseen?': 'flag',
    'terminalUsers?': { either: ['null', { list: { fields: { pid: 'number', program: 'text' } } }] },
  },
  screen: { paneId: 'text', isPromptEmpty: { either: ['flag', 'null'] } },
  people: {
    clients: { list: { fields: { 'lastInputAt?': 'number', isControl: 'flag' } } },
    ...{ isThroughGroup: 'flag', 'lastAttachedAt?': 'number', 'thereFromMs?': 'number' },
  },
  git: {
    'isUnseen?': 'flag',
    paneId: 'text',
    'since?': 'number',
    facts: GIT,
  },
  history: {
    ...{ paneId: 'text', 'agentSeen?': 'text', isSeenOften: 'flag' },
    ...{ quietFromMs: 'number', 'disturbedFromMs?': 'number', 'isEntered?': 'flag' },
    ...{ 'isUsed?': 'flag', 'restedAt?': 'number' },
  },
  agent: {
    ...{ paneId: 'text', agentKind: 'text', agentPid: 'number', 'agentVersion?': 'text' },
    isResumable: 'flag',
  },
  'agent-sign': {
    ...{ source: { word: SIGN_SOURCES }, paneId: 'text', agentKind: 'text', agentPid: 'number' },
    ...{ isLive: 'flag', isVerified: 'flag', 'since?': 'number', 'turn?': { word: ['running', 'over'] } },
    'beganAt?': 'number',
    ...{ 'waitingFor?': { either: ['null', { word: WAITING_FOR }] }, 'background?': 'number' },
    ...{ 'hasDraft?': 'flag', 'isReady?': 'flag' },
  },
  'sensor-unavailable': { source: { word: SOURCES }, 'paneId?': 'text' },
  'mass-death': { dead: 'number', of: 'number' },
  clock: { suspendedMs: 'number', steppedMs: 'number' },
  standing: {
    ...{ isOwnSession: 'flag', isManaged: 'flag', 'protectedBy?': 'text' },
    'brokenProject?': 'text',
    'closing?': { fields: { at: 'number' } },
    'claims?': { fields: { 'role?': 'text' } },
    'held?': { fields: { at: 'number' } },
    'retained?': {
      fields: {
        ...{ at: 'number', until: { either: ['number', 'null'] } },
        ...{ 'awakeMs?': 'number', 'forMs?': 'number' },
      },
    },
    'completion?': {
      fields: {
        ...{ at: 'number', 'awakeMs?': 'number', outcome: 'text' },
        blockers: { list: { fields: { code: 'text' } } },
        'speaksFor?': { list: SPOKEN },
      },
    },
    'gates?': { list: GATE },
  },
};

const SHAPES = new Map<unknown, Shape>(
  Object.entries(FIELDS).map(([kind, fields]) => [
    kind,
    { fields: { kind: { word: [kind] }, 'ageMs?': 'number', ...fields } },
  ]),
);

/** The kept part of something that may be a piece of a kind that this version knows; null for anything else. */
export function keptPiece(value: unknown): KeptPiece | null {
  const { kind } = (value ?? {}) as { kind?: unknown };
  const shape = SHAPES.get(kind);
  return ((shape && keep(value, shape)) as KeptPiece | undefined) ?? null;
}
