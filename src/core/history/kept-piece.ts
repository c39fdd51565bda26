import * as v from 'valibot';
import { SIGN_SOURCES } from '../agent/sign.ts';
import { GIT_OPERATIONS } from '../sight/sighting.ts';
import { HELPER_KINDS, PROCESS_RELATIONS, ROLES } from '../verdict/evidence.ts';
import { SOURCES, WAITING_FOR } from '../verdict/verdict.ts';
import { flag, kept, maybe, number, text, yes } from './fields.ts';

const note = v.object({
  pid: number,
  /** Earlier versions did not keep it. */
  startTicks: maybe.number,
  parentPid: number,
  program: text,
  role: v.picklist(ROLES),
  agentKind: maybe.text,
  relation: v.picklist(PROCESS_RELATIONS),
  startedAt: number,
  cpuPercent: maybe.number,
  ioBytesPerSecond: maybe.number,
  helper: v.exactOptional(v.picklist(HELPER_KINDS)),
  isKeeper: yes,
});

const repository = {
  state: v.literal('repository'),
  hasRemote: flag,
  isMerged: flag,
  dirtyFiles: number,
  unpushedCommits: maybe.number,
  stashes: number,
  operation: v.exactOptional(v.picklist(GIT_OPERATIONS)),
  branches: v.exactOptional(v.array(v.object({ commits: maybe.number, changedAt: number, isOwn: flag }))),
};
const failed = { state: v.literal('failed') };
const place = { isSubmodule: flag, changedAt: number };
const below = v.exactOptional(
  v.object({
    count: number,
    isCut: flag,
    unsaved: v.array(
      v.variant('state', [v.object({ ...repository, ...place }), v.object({ ...failed, ...place })]),
    ),
  }),
);

const gate = v.object({
  at: number,
  awakeMs: maybe.number,
  id: text,
  expiresAt: number,
  stale: v.nullable(v.object({ at: number, code: text })),
});

const spoken = v.object({
  paneId: text,
  at: number,
  pid: number,
  startTicks: number,
  isAtRest: yes,
  agents: v.array(v.object({ pid: number, startTicks: number })),
});

/**
 * One piece of evidence as it is kept: what the classifier asks for, and nothing else. Screens, titles, drafts, command
 * lines, folders, branches and the words of a declaration are somebody's text, which may hold secrets and proves nothing
 * here: they never enter the history.
 */
export const keptSchema = v.variant('kind', [
  piece('pane', {
    hasNoTerminal: yes,
    paneId: text,
    isDead: flag,
    exitStatus: maybe.number,
    exitSignal: maybe.text,
    lastOutputAt: maybe.number,
    isFullScreen: maybe.flag,
    isInMode: flag,
    isWindowShared: flag,
    asleep: v.exactOptional(v.object({ at: number })),
  }),
  piece('processes', {
    paneId: text,
    processes: v.array(note),
    isUnseen: yes,
    terminalUsers: v.exactOptional(v.nullable(v.array(v.object({ pid: number, program: text })))),
  }),
  piece('screen', { paneId: text, isPromptEmpty: v.nullable(flag) }),
  piece('people', {
    clients: v.array(v.object({ lastInputAt: maybe.number, isControl: flag })),
    isThroughGroup: flag,
    lastAttachedAt: maybe.number,
    thereFromMs: maybe.number,
  }),
  piece('git', {
    isUnseen: yes,
    paneId: text,
    since: maybe.number,
    facts: v.variant('state', [
      v.object({ ...repository, below }),
      v.object({ state: v.literal('none'), below }),
      v.object(failed),
    ]),
  }),
  piece('history', {
    paneId: text,
    agentSeen: maybe.text,
    isSeenOften: flag,
    quietFromMs: number,
    disturbedFromMs: maybe.number,
    isEntered: yes,
    isUsed: yes,
    restedAt: maybe.number,
  }),
  piece('agent', {
    paneId: text,
    agentKind: text,
    agentPid: number,
    agentVersion: maybe.text,
    isResumable: flag,
  }),
  piece('agent-sign', {
    source: v.picklist(SIGN_SOURCES),
    paneId: text,
    agentKind: text,
    agentPid: number,
    isLive: flag,
    isVerified: flag,
    since: maybe.number,
    turn: v.exactOptional(v.picklist(['running', 'over'])),
    beganAt: maybe.number,
    waitingFor: v.exactOptional(v.nullable(v.picklist(WAITING_FOR))),
    background: maybe.number,
    hasDraft: maybe.flag,
    isReady: maybe.flag,
  }),
  piece('sensor-unavailable', { source: v.picklist(SOURCES), paneId: maybe.text }),
  piece('mass-death', { dead: number, of: number }),
  piece('clock', { suspendedMs: number, steppedMs: number }),
  piece('standing', {
    isOwnSession: flag,
    isManaged: flag,
    protectedBy: maybe.text,
    brokenProject: maybe.text,
    closing: v.exactOptional(v.object({ at: number })),
    claims: v.exactOptional(v.object({ role: maybe.text })),
    held: v.exactOptional(v.object({ at: number })),
    retained: v.exactOptional(
      v.object({ at: number, until: v.nullable(number), awakeMs: maybe.number, forMs: maybe.number }),
    ),
    completion: v.exactOptional(
      v.object({
        at: number,
        awakeMs: maybe.number,
        outcome: text,
        blockers: v.array(v.object({ code: text })),
        speaksFor: v.exactOptional(v.array(spoken)),
      }),
    ),
    gates: v.exactOptional(v.array(gate)),
  }),
]);

export type KeptPiece = Readonly<v.InferOutput<typeof keptSchema>>;

/** The pieces of a session by their subjects. */
export type KeptPieces = Readonly<Record<string, KeptPiece>>;

/** The kept part of something that may be a piece of a kind that this version knows; null for anything else. */
export function keptPiece(value: unknown): KeptPiece | null {
  return kept(keptSchema, value);
}

function piece<const K extends string, const E extends v.ObjectEntries>(kind: K, entries: E) {
  /** Whole seconds; left out where it was seen in that very round. */
  const ageMs = maybe.number;
  return v.object({ kind: v.literal(kind), ageMs, ...entries });
}
