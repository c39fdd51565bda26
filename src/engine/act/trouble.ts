import type { ExitName } from '../../core/exit-codes.ts';
import type { LockSighting } from '../../core/lock/sighting.ts';
import { spoken } from '../../core/text/duration.ts';
import type { LockOutcome } from '../../ports/lock.ts';
import type { DeclareOutcome } from './declare.ts';

/** Why an action did not come about, in the words that every surface uses. */
export interface Trouble {
  readonly exit: Exclude<ExitName, 'done'>;
  readonly text: string;
  readonly hint: string | null;
  /** Further findings, one per line. */
  readonly details: readonly string[];
}

export function trouble(
  exit: Trouble['exit'],
  text: string,
  { hint = null, details = [] }: Partial<Pick<Trouble, 'hint' | 'details'>> = {},
): Trouble {
  return { exit, text, hint, details };
}

/** Somebody else has been recording for so long that this was given up. */
export function writerBusy(by: LockSighting, now: number): Trouble {
  return trouble('lock-held', `another rollcall is writing: ${holdingText(by, now)}`, {
    hint: 'nothing was recorded; try again',
  });
}

/** What was done while nobody else could record; without the writer's lock nothing was. */
export function heldOr<T>(
  held: { readonly state: 'done'; readonly value: T } | Exclude<LockOutcome, { state: 'held' }>,
  now: number,
): T | Trouble {
  if (held.state === 'busy') return writerBusy(held.by, now);
  return held.state === 'failed' ? trouble('failed', held.text, { hint: held.hint }) : held.value;
}

export type Settled<R> = Extract<DeclareOutcome<R>, { readonly state: 'declared' | 'already' | 'refused' }>;

/** A declaration that was settled one way or the other; without the writer's lock there is none. */
export function settledOr<R>(declared: DeclareOutcome<R>, now: number): Settled<R> | Trouble {
  if (declared.state === 'busy') return writerBusy(declared.by, now);
  if (declared.state === 'failed') return trouble('failed', declared.text, { hint: declared.hint });
  if (declared.state === 'refused' && isRefusedFor(declared.refusal)) return declared.refusal;
  return declared as Settled<R>;
}

function isRefusedFor(refusal: unknown): refusal is Trouble {
  return typeof refusal === 'object' && refusal !== null && isTrouble(refusal);
}

export function isTrouble(value: object): value is Trouble {
  return 'exit' in value;
}

/** Who holds it, in half a sentence: pid, program, task, since. */
export function holdingText(lock: LockSighting, now: number): string {
  const { holder, holderLife, heldBy } = lock;
  if (holder === null || holderLife === 'gone') return strangersText(heldBy);
  const runner = heldBy?.find(({ part }) => part === 'runner');
  const pid = runner?.pid ?? holder.runner?.pid ?? holder.pid;
  const program = runner?.program ?? holder.argv[0];
  const named = program === undefined ? `pid ${pid}` : `pid ${pid} (${program})`;
  return [named, ...taskText(holder.task), sinceText(holder.since, now)].join(', ');
}

function strangersText(heldBy: LockSighting['heldBy']): string {
  const [first, ...more] = heldBy ?? [];
  if (first === undefined) return 'a process that cannot be seen from here';
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return `pid ${first.pid} (${first.program})${others}, which inherited it from a runner that is gone`;
}

export function taskText(task: string | null): string[] {
  return task === null ? [] : [`task ${task}`];
}

export function sinceText(since: number, now: number): string {
  return `since ${new Date(since).toISOString()} (${spoken(Math.max(0, now - since))})`;
}
