import type { Actor } from './actor.ts';
import type { RequestRecord } from './model/request-log.ts';
import { NotReached, until, wait } from './until.ts';

/** No further request within this time after an answer without a tool call: the turn is over. */
const QUIET_MS = 1200;

/** Waits for the end of the turn that an order began, its subagents' too, and gives the moment of the last answer. */
export async function turnEnd(actor: Actor, tag: string, timeoutMs = 90_000): Promise<number> {
  const ended = await until(() => endOf(actor.log.of(tag), Date.now()), timeoutMs);
  if (ended === null) throw new NotReached(`the turn of order ${tag} did not end`);
  return ended;
}

/** When a turn ended, from its requests; null while it may still go on. */
export function endOf(records: readonly RequestRecord[], now: number): number | null {
  const main = records.filter(({ role }) => role !== 'side');
  const last = main.at(-1);
  if (!last || main.some(({ endedAt }) => endedAt === null)) return null;
  // A subagent's end is not its parent's: the parent has called a tool and is due to go on.
  if (last.called !== null) return null;
  const mainEnd = Math.max(...main.map(({ endedAt }) => endedAt ?? 0));
  const checks = records.filter(({ role, receivedAt }) => role === 'side' && receivedAt < mainEnd + 300);
  if (checks.some(({ endedAt }) => endedAt === null)) return null;
  const end = Math.max(mainEnd, ...checks.map(({ endedAt }) => endedAt ?? 0));
  return now - end >= QUIET_MS ? end : null;
}

/** Waits until the model has called a tool, and gives the moment at which the agent had the whole call. */
export async function toolCalled(actor: Actor, tag: string): Promise<RequestRecord> {
  const called = await until(
    () => actor.log.of(tag).find(({ called, endedAt }) => called !== null && endedAt !== null) ?? null,
    30_000,
    30,
  );
  if (!called) throw new NotReached('the agent offers no tool for it');
  return called;
}

/** Waits for the request with which the agent goes on after a tool. */
export async function goesOn(actor: Actor, tag: string, after: RequestRecord): Promise<RequestRecord> {
  const next = await until(
    () => actor.log.of(tag).find(({ id, role }) => id > after.id && role !== 'side') ?? null,
    40_000,
    30,
  );
  if (!next) throw new NotReached('the agent did not go on after its tool');
  return next;
}

export const hold = wait;
