import { lstatSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../adapters/files/digest.ts';
import { createLaterStops } from '../../adapters/gate/later-stops.ts';
import { createProcessAncestry } from '../../adapters/proc/process-ancestry.ts';
import { readEvent } from '../../adapters/spool/read-event.ts';
import type { OnStep } from '../../engine/act/hands.ts';
import type { StopParts } from '../../engine/gate/parts.ts';
import type { StopRequest } from '../../engine/gate/stop-gate.ts';
import type { LaterStops, StopEvent } from '../../ports/gate.ts';
import { openLedger } from '../ledger.ts';
import { allAgents } from '../look/agents.ts';
import { ownUid } from '../system/own-user.ts';
import { gateChecksIn, gateStoreIn, writerOnDemand } from './gate.ts';

const QUICK_GIT_MS = 1000;
const PATIENT_GIT_MS = 10_000;
const LEDGER_MS = 500;
const PATIENT_LEDGER_MS = 5000;

/** How stops are decided, and how much time there is. */
export interface StopWay {
  /** The folder `gate` of the state folder. */
  readonly folder: string;
  readonly phase: StopRequest['phase'];
  /** Ends what runs. */
  readonly signal: AbortSignal;
  /** Starts a process that looks at the stops of a contract which were let go. */
  startLater(contract: string): void;
  readonly onStep: OnStep | undefined;
}

/** What stops are decided with. */
export function stopPartsOf(env: NodeJS.ProcessEnv, way: StopWay): StopParts {
  const { folder, phase, signal, onStep } = way;
  const agents = allAgents(env);
  const stops = join(folder, 'stops');
  const ancestry = createProcessAncestry();
  return {
    ...{ agents, env, now: Date.now, digest: sha256, processes: ancestry },
    store: gateStoreIn(env, agents),
    checks: gateChecksIn(env, { gitTimeoutMs: phase === 'quick' ? QUICK_GIT_MS : PATIENT_GIT_MS, signal }),
    writer: writerOnDemand(env),
    projectOf: async () => null,
    later: laterIn(way),
    readStop: (name) => stopIn(stops, name),
    removeStop: (name) => unlinkSync(join(stops, name)),
    openLedger: () => openLedger(env, 'hook', phase === 'later' ? PATIENT_LEDGER_MS : LEDGER_MS),
    latencyMs: (name) => latencyOf(name, readUptime()),
    elapsedMs: () => performance.now(),
    // Nobody waits for a stop that was let go, and what is recorded of it is true all the same.
    isAwaited: () => !signal.aborted && (phase === 'later' || ancestry.isUnbroken()),
    ...(onStep && { onStep }),
  };
}

function laterIn({ folder, startLater }: StopWay): LaterStops {
  const later = createLaterStops(join(folder, 'later'), ownUid(), Date.now);
  return {
    ...later,
    add(stop) {
      const isKept = later.add(stop);
      if (isKept) startLater(stop.contract);
      return isKept;
    },
  };
}

function stopIn(folder: string, name: string): StopEvent | null {
  const listed = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
  if (listed === undefined) return null;
  const read = readEvent(folder, { name, modifiedNs: listed.mtimeNs, size: listed.size }, ownUid());
  if (read.state !== 'event') return null;
  const { agentKind, event, sender, payload, isWhole } = read;
  return { agentKind, event, sender, payload: isWhole ? payload : null };
}

/** The hook names its event by the hundredths of a second since the start of the machine. */
export function latencyOf(name: string, uptime: number | null): number | null {
  const since = /^(\d{16})\./.exec(name)?.[1];
  if (since === undefined || uptime === null || Number(since) === 0) return null;
  const ms = Math.round(uptime * 1000) - Number(since) * 10;
  return ms >= 0 ? ms : null;
}

function readUptime(): number | null {
  try {
    const uptime = Number.parseFloat(readFileSync('/proc/uptime', 'latin1'));
    return Number.isFinite(uptime) ? uptime : null;
  } catch {
    return null;
  }
}
