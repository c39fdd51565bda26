import { lstatSync, readFileSync, unlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { createProcessAncestry } from '../adapters/proc/process-ancestry.ts';
import { readEvent } from '../adapters/spool/read-event.ts';
import type { OnStep } from '../engine/act/hands.ts';
import type { StopParts } from '../engine/gate/parts.ts';
import { APPROVED, type StopAnswer } from '../engine/gate/stop-answer.ts';
import { type StopCall, stopGate } from '../engine/gate/stop-gate.ts';
import type { StopEvent } from '../ports/gate.ts';
import { allAgents } from './agents.ts';
import { gateChecksIn, gateStoreIn, sha256, writerOnDemand } from './gate.ts';
import { openLedger } from './ledger.ts';
import { ownStateFolder, ownUid } from './own-user.ts';

/** What the hook calls rollcall with. */
export interface StopRequest extends StopCall {
  /** The folder `gate` of the state folder that the hook was installed for, whatever the agent's environment says. */
  readonly folder: string;
}

const QUICK_GIT_MS = 1000;
const PATIENT_GIT_MS = 10_000;
const LEDGER_MS = 500;
const LOOK_EVERY_MS = 200;
const NAME = /^[0-9A-Za-z][0-9A-Za-z.]{0,98}$/;

/** Answers a hook. Where it waits no longer, what runs for it is ended, and so is this. */
export async function answerStop(
  env: NodeJS.ProcessEnv,
  request: StopRequest,
  onStep?: OnStep,
): Promise<StopAnswer> {
  const own = environmentOf(env, request.folder);
  if (own === null || !NAME.test(request.name)) return APPROVED;
  const ending = new AbortController();
  const parts = stopPartsOf(own, request, ending.signal, onStep);
  const watch = setInterval(() => {
    if (!parts.isAwaited()) ending.abort();
  }, LOOK_EVERY_MS);
  const end = () => ending.abort();
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await stopGate(parts, request);
  } finally {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, end);
  }
}

// The agent may have another state folder in its environment than the one whose hook it runs.
function environmentOf(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv | null {
  const state = dirname(folder);
  if (!isAbsolute(folder) || basename(folder) !== 'gate' || basename(state) !== 'rollcall') return null;
  const own = { ...env, XDG_STATE_HOME: dirname(state) };
  // Looked for first, since opening the state folder would make it.
  const isThere = lstatSync(join(folder, 'stops'), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isThere && ownStateFolder(own).state === 'ready' ? own : null;
}

function stopPartsOf(
  env: NodeJS.ProcessEnv,
  { folder, phase }: StopRequest,
  signal: AbortSignal,
  onStep: OnStep | undefined,
): StopParts {
  const agents = allAgents(env);
  const stops = join(folder, 'stops');
  const ancestry = createProcessAncestry();
  return {
    ...{ agents, env, now: Date.now, digest: sha256, processes: ancestry },
    store: gateStoreIn(env, agents),
    checks: gateChecksIn(env, { gitTimeoutMs: phase === 'run' ? PATIENT_GIT_MS : QUICK_GIT_MS, signal }),
    writer: writerOnDemand(env),
    projectOf: async () => null,
    readStop: (name) => stopIn(stops, name),
    removeStop: (name) => unlinkSync(join(stops, name)),
    openLedger: () => openLedger(env, 'hook', LEDGER_MS),
    latencyMs: (name) => latencyOf(name, readUptime()),
    elapsedMs: () => performance.now(),
    isAwaited: () => !signal.aborted && ancestry.isUnbroken(),
    ...(onStep && { onStep }),
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
