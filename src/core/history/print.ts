import type { SessionEntry } from '../sight/roll.ts';
import type { RepositoryFacts } from '../sight/sighting.ts';
import type { Moment } from '../text/moment.ts';
import type { Evidence, ProcessNote } from '../verdict/evidence.ts';

/** Two numbers that stay as they are while a session does. Taken in every round, so nothing is allocated for it. */
export interface Print {
  /** What it is in: verdict, signs, people, what was declared, which sensors answer. */
  readonly state: number;
  /** What goes on in it: output, processes, the times of events. Without memory sizes and the jitter of CPU. */
  readonly motion: number;
}

/** The print of a session; the order of its evidence means nothing. */
export function printOf(entry: SessionEntry, now: Moment, freshMs: number): Print {
  let state = text(text(text(1, entry.activity), entry.lifecycle), entry.waitingFor ?? '');
  state = text(state, entry.name);
  let motion = 0;
  for (const piece of entry.evidence) {
    const ageMs = now.at - piece.observedAt;
    const isFresh = ageMs <= freshMs && ageMs >= -1000;
    const seed = mix('paneId' in piece ? text(2, String(piece.paneId)) : 3, Number(isFresh));
    state = (state + stateOf(piece, text(seed, piece.kind))) | 0;
    motion = (motion + motionOf(piece, text(seed, piece.kind), now.awakeMs - ageMs)) | 0;
  }
  return { state, motion };
}

function stateOf(piece: Evidence, seed: number): number {
  switch (piece.kind) {
    case 'pane': {
      const { isDead, hasNoTerminal, isFullScreen, isInMode, isWindowShared } = piece;
      const flags = bits(isDead, isFullScreen, isInMode, isWindowShared, hasNoTerminal);
      return text(mix(mix(seed, flags), piece.exitStatus ?? -1), piece.exitSignal ?? '');
    }
    case 'screen':
      return mix(seed, bits(piece.isPromptEmpty ?? undefined));
    case 'people': {
      const group = mix(seed, bits(piece.isThroughGroup));
      return mix(mix(group, piece.clients.length), piece.lastAttachedAt ?? 0);
    }
    case 'git':
      return gitPrint(piece.facts, seed);
    case 'agent':
      return mix(mix(text(seed, piece.agentKind), piece.agentPid), piece.resume?.length ?? 0);
    case 'agent-sign': {
      const told = text(
        text(text(seed, piece.source), piece.turn ?? ''),
        piece.waitingFor ?? `${piece.waitingFor}`,
      );
      const flags = bits(piece.isLive, piece.isVerified, piece.hasDraft, piece.isReady);
      return mix(mix(mix(told, flags), piece.background ?? -1), piece.agentPid);
    }
    case 'sensor-unavailable':
      return text(seed, piece.source);
    case 'mass-death':
      return mix(mix(seed, piece.dead), piece.of);
    case 'standing':
      return standingPrint(piece, seed);
    default:
      return seed;
  }
}

function motionOf(piece: Evidence, seed: number, awakeMs: number): number {
  switch (piece.kind) {
    case 'pane':
      return mix(seed, piece.lastOutputAt ?? 0);
    case 'processes':
      return piece.processes.reduce((sum, note) => (sum + notePrint(note, seed)) | 0, seed);
    case 'history': {
      const flags = bits(
        piece.observations >= 2,
        piece.disturbedMs !== undefined,
        piece.entered !== undefined,
        piece.used !== undefined,
      );
      return text(mix(mix(seed, coarse(awakeMs - piece.quietMs)), flags), piece.agentSeen ?? '');
    }
    case 'people': {
      const { clients, awayMs } = piece;
      const isAway = clients.length === 0 && awayMs !== undefined;
      const there = isAway ? mix(seed, coarse(awakeMs - awayMs)) : seed;
      return clients.reduce((hash, client) => mix(hash, minute(client.lastInputAt ?? 0)), there);
    }
    case 'agent-sign':
      return mix(text(seed, piece.source), piece.since ?? 0);
    case 'clock':
      return mix(mix(seed, coarse(piece.suspendedMs)), coarse(piece.steppedMs));
    default:
      return 0;
  }
}

function gitPrint(facts: Extract<Evidence, { kind: 'git' }>['facts'], seed: number): number {
  if (facts.state === 'failed') return text(seed, facts.state);
  const { count = 0, unsaved = [] } = facts.below ?? {};
  const known = mix(text(seed, facts.state), count);
  const own = facts.state === 'repository' ? repositoryPrint(facts, known) : known;
  return unsaved.reduce((hash, one) => {
    const when = mix(mix(hash, one.changedAt), bits(one.isSubmodule));
    return one.state === 'repository' ? repositoryPrint(one, when) : when;
  }, own);
}

function repositoryPrint(facts: RepositoryFacts, seed: number): number {
  const counts = mix(mix(mix(seed, facts.dirtyFiles), facts.stashes), facts.unpushedCommits ?? -1);
  return (facts.branches ?? []).reduce(
    (hash, { commits, changedAt, isOwn }) => mix(mix(mix(hash, commits ?? -1), changedAt), bits(isOwn)),
    text(mix(counts, bits(facts.hasRemote, facts.isMerged)), facts.operation ?? ''),
  );
}

function standingPrint(piece: Extract<Evidence, { kind: 'standing' }>, seed: number): number {
  const { claims, held, retained, completion, closing, gates = [] } = piece;
  let hash = mix(text(seed, piece.protectedBy ?? ''), bits(piece.isOwnSession, piece.isManaged));
  hash = text(hash, piece.brokenProject ?? '');
  hash = mix(mix(text(hash, claims?.role ?? ''), held?.at ?? 0), closing?.at ?? 0);
  hash = mix(mix(hash, retained?.at ?? 0), retained?.until ?? -1);
  for (const { id, stale } of gates) hash = mix(text(hash, id), stale?.at ?? 0);
  return text(
    mix(mix(hash, completion?.at ?? 0), completion?.blockers.length ?? 0),
    completion?.outcome ?? '',
  );
}

function notePrint(note: ProcessNote, seed: number): number {
  const who = mix(mix(mix(seed, note.pid), note.parentPid), note.startedAt);
  const use = mix(
    who,
    stage(note.cpuPercent ?? 0, CPU_STAGES) * 16 + stage(note.ioBytesPerSecond ?? 0, IO_STAGES),
  );
  return text(text(use, note.role), note.isKeeper ? 'keeper' : note.relation);
}

/** Among them the bounds that count as work by default. */
const CPU_STAGES = [5, 10, 25, 50] as const;
const IO_STAGES = [16_384, 65_536, 262_144, 1_048_576] as const;

function stage(value: number, stages: readonly number[]): number {
  return stages.filter((bound) => value >= bound).length;
}

// Clocks are read one after the other: a few milliseconds to and fro are no change.
function coarse(ms: number): number {
  return Math.round(ms / 5000);
}

function minute(at: number): number {
  return Math.floor(at / 60_000);
}

function bits(...flags: readonly (boolean | undefined)[]): number {
  return flags.reduce((all, flag) => all * 3 + (flag === undefined ? 2 : Number(flag)), 1);
}

function text(hash: number, word: string): number {
  let mixed = hash;
  for (let index = 0; index < word.length; index += 1) {
    mixed = Math.imul(mixed ^ word.charCodeAt(index), 0x01000193);
  }
  return mix(mixed, word.length);
}

// Both halves of a number that is larger than 32 bits count.
function mix(hash: number, value: number): number {
  const low = Math.imul(hash ^ (value | 0), 0x85ebca6b);
  const both = Math.imul((low ^ (low >>> 13)) + Math.trunc(value / 0x1_0000_0000), 0xc2b2ae35);
  return both ^ (both >>> 16);
}
