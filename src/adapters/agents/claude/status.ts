import { setTimeout as pause } from 'node:timers/promises';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { type JsonFields, objectIn } from '../../files/json-object.ts';
import { readEnd } from '../common/read-file.ts';
import { isConversationId } from './command-line.ts';
import { VERIFIED } from './verified.ts';

/** What Claude Code writes of itself in `sessions/<pid>.json`. */
export interface ClaudeStatus {
  readonly status: string;
  readonly waitingFor?: string;
  /** When the status began. */
  readonly since?: number;
  readonly conversation?: string;
  readonly version?: string;
  readonly cwd?: string;
  /** The status is still the one of its start. */
  readonly isUntouched: boolean;
}

export type OwnStatusRead =
  | ({ readonly state: 'read' } & ClaudeStatus)
  | { readonly state: 'absent'; readonly text: string }
  /** Its conversation stands there all the same, or may be any. */
  | { readonly state: 'failed'; readonly text: string; readonly conversation?: string };

/**
 * Reads the status file. It is written in place, so a reader may see half of it: then it is read once more. It is not
 * cached by its time, because `busy` and `idle` have the same length and file times are coarse. A file of a killed
 * process has another start mark.
 */
export function readOwnStatus(folder: string, agent: AgentProcess): OwnStatusRead | Promise<OwnStatusRead> {
  const path = `${folder}/sessions/${numberOf(agent)}.json`;
  const first = readOnce(path, agent);
  return first === TORN ? readAgain(path, agent) : first;
}

function numberOf({ pid, pidInside = pid }: AgentProcess): number {
  return pidInside;
}

async function readAgain(path: string, agent: AgentProcess): Promise<OwnStatusRead> {
  await pause(REREAD_AFTER_MS);
  const second = readOnce(path, agent);
  return second === TORN ? { state: 'failed', text: 'its status file is half written' } : second;
}

const REREAD_AFTER_MS = 25;
// It took 0.14 s on an idle machine; a turn takes longer than that to begin and end.
const REGISTERED_WITHIN_MS = 1000;
const MAX_BYTES = 64 * 1024;
const TORN = 'torn';

function readOnce(path: string, agent: AgentProcess): OwnStatusRead | typeof TORN {
  const file = readEnd(path, MAX_BYTES);
  if (file.state === 'absent') return { state: 'absent', text: 'it has not written its status file' };
  if (file.state === 'failed') return { state: 'failed', text: visible(file.text, 200) };
  if (file.isCut) return { state: 'failed', text: 'its status file is too long to be one' };
  const fields = objectIn(file.text);
  return fields === null ? TORN : ownStatusOf(fields, agent);
}

function ownStatusOf(fields: JsonFields, agent: AgentProcess): OwnStatusRead {
  const { pid, procStart, kind, status, waitingFor, sessionId, version, cwd } = fields;
  const { startedAt, statusUpdatedAt: since } = fields;
  if (pid !== numberOf(agent) || procStart !== String(agent.startTicks)) {
    return { state: 'absent', text: 'the status file is that of an earlier process with its number' };
  }
  const told = isConversationId(sessionId) ? { conversation: sessionId } : {};
  const failed = (text: string) => ({ state: 'failed', text: visible(text, 200), ...told }) as const;
  if (kind !== undefined && kind !== 'interactive')
    return failed(`its status file is that of a ${String(kind)} session`);
  if (typeof status !== 'string') return failed('its status file holds no status');
  return {
    state: 'read',
    status,
    ...(typeof waitingFor === 'string' && { waitingFor }),
    ...(isTime(since) && { since }),
    ...told,
    ...(typeof version === 'string' && { version: visible(version, 40) }),
    ...(typeof cwd === 'string' && cwd.startsWith('/') && { cwd }),
    isUntouched:
      isTime(since) && isTime(startedAt) && since >= startedAt && since - startedAt < REGISTERED_WITHIN_MS,
  };
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) > 0;
}

/** What Claude Code says it waits for, and what that is called here. */
const WAITS: ReadonlyMap<string, WaitingFor> = new Map([
  ['permission prompt', 'permission'],
  ['input needed', 'question'],
  ['sandbox request', 'permission'],
  ['worker request', 'permission'],
  ['goal proposal', 'question'],
  // Any dialog over the prompt: settings, a choice of model, a login, the check of auto mode.
  ['dialog open', 'input'],
]);

/**
 * The sign of a status, or why there is none. `shell` tells of shells and monitors in the background, `busy` also of
 * agents there, `waiting` of any dialog. Timers are never shown: rest alone says nothing of the background.
 */
export function statusSign(own: ClaudeStatus, now: number): AgentSign | { readonly failure: string } {
  const facts = factsOf(own);
  if (facts === null) return { failure: visible(`its status “${own.status}” is not understood`, 200) };
  // A time to come is left out: the clock was set back since.
  const since = own.since !== undefined && own.since <= now ? { since: own.since } : {};
  const isVerified = isWithin(own.version, VERIFIED);
  return { source: 'agent', observedAt: now, isLive: true, ...since, ...facts, isVerified };
}

type Facts = Pick<AgentSign, 'turn' | 'waitingFor' | 'background' | 'text'>;

function factsOf({ status, waitingFor }: ClaudeStatus): Facts | null {
  if (status === 'busy') return { turn: 'running', waitingFor: null, text: 'its status is busy' };
  if (status === 'idle') return { turn: 'over', waitingFor: null, text: 'its status is idle' };
  // The view of its tasks is a dialog that this status hides.
  if (status === 'shell') {
    return { turn: 'over', background: 1, text: 'its status is shell: something runs in the background' };
  }
  if (status !== 'waiting') return null;
  const words = waitingFor ?? 'for what is not told';
  return { waitingFor: WAITS.get(words) ?? 'input', text: visible(`its status is waiting: ${words}`, 200) };
}
