import { type CheckedItem, type CheckResult, type GateCheck, REINFORCE } from '../../core/gate/check.ts';
import {
  GATE_PHASES,
  type GateContract,
  type GateCounter,
  type GateOwner,
} from '../../core/gate/contract.ts';

type Fields = Readonly<Record<string, unknown>>;
type Is<T> = (value: unknown) => value is T;

/** Whether a value is a contract in every part: what is not is left alone and keeps nobody going. */
export const isContract: Is<GateContract> = (value): value is GateContract => {
  if (!isObject(value)) return false;
  const { id, task, startedAt, expiresAt, cwd, project, checks, ended, stale } = value;
  return (
    value.format === 1 &&
    isText(id) &&
    CONTRACT_ID.test(id) &&
    isOrNull(isText)(task) &&
    isTime(startedAt) &&
    isTime(expiresAt) &&
    isText(cwd) &&
    cwd.startsWith('/') &&
    isOrNull(isText)(project) &&
    Array.isArray(checks) &&
    checks.every(isItem) &&
    REINFORCE.includes(String(value.reinforce) as (typeof REINFORCE)[number]) &&
    typeof value.reinforce === 'number' &&
    isOwner(value.owner) &&
    GATE_PHASES.some((phase) => phase === value.phase) &&
    (ended === null || (isObject(ended) && isTime(ended.at) && isText(ended.text))) &&
    (ended === null) === (value.phase === 'open') &&
    isCounter(value.enforced) &&
    isCounter(value.shadowed) &&
    (stale === null || (isObject(stale) && isTime(stale.at) && isText(stale.code) && isText(stale.text)))
  );
};

export const CONTRACT_ID = /^[0-9a-f]{8}$/;

const isItem: Is<CheckedItem> = (value): value is CheckedItem =>
  isObject(value) && isCheck(value.check) && (value.result === null || isResult(value.result));

const isCheck: Is<GateCheck> = (value): value is GateCheck => {
  if (!isObject(value)) return false;
  switch (value.kind) {
    case 'clean':
    case 'pushed':
      return true;
    case 'file':
      return isText(value.path);
    case 'todo':
      return isOrNull(isText)(value.path);
    case 'command':
      return (
        Array.isArray(value.argv) &&
        value.argv.length > 0 &&
        value.argv.every(isText) &&
        isOrNull(isText)(value.cwd) &&
        isCount(value.timeoutMs) &&
        value.timeoutMs > 0
      );
    default:
      return false;
  }
};

const isResult: Is<CheckResult> = (value): value is CheckResult =>
  isObject(value) &&
  (value.state === 'met' || value.state === 'unmet' || value.state === 'unknown') &&
  isText(value.text) &&
  isTime(value.at) &&
  isOrNull(isText)(value.tree) &&
  isText(value.mark);

const isOwner: Is<GateOwner> = (value): value is GateOwner => {
  if (!isObject(value)) return false;
  const { session, server, paneId, pane, agent } = value;
  return (
    isObject(session) &&
    isText(session.key) &&
    isText(session.name) &&
    isMark(server) &&
    isText(server.socketPath) &&
    isText(paneId) &&
    /^%\d{1,10}$/.test(paneId) &&
    isMark(pane) &&
    isMark(agent) &&
    isText(agent.kind) &&
    // It becomes a line of the file that the hook reads.
    /^[A-Za-z0-9._-]{1,64}$/.test(agent.kind) &&
    isText(value.conversation) &&
    (value.transcript === undefined || isText(value.transcript)) &&
    isTime(value.stampedAt)
  );
};

const isCounter: Is<GateCounter> = (value): value is GateCounter => {
  if (!isObject(value)) return false;
  const { used, inARow, last, seen } = value;
  const isLast =
    last === null || (isObject(last) && isTime(last.at) && isText(last.evidence) && isText(last.stop));
  return isCount(used) && isCount(inARow) && isLast && Array.isArray(seen) && seen.every(isText);
};

function isMark(value: unknown): value is Fields & { pid: number; startTicks: number } {
  return isObject(value) && isCount(value.pid) && value.pid > 0 && isCount(value.startTicks);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isOrNull<T>(is: Is<T>): Is<T | null> {
  return (value): value is T | null => value === null || is(value);
}
