import type { SessionFacts } from '../ledger/current-facts.ts';
import { spoken } from '../text/duration.ts';
import type { Moment } from '../text/moment.ts';
import { visible } from '../text/visible.ts';
import { acceptedCompletion, type Declared } from '../verdict/declared.ts';
import { ago, because } from '../verdict/retention.ts';
import type { Reason, Verdict } from '../verdict/verdict.ts';
import { endWords, type ProgramEnd } from './ended.ts';
import { heldUpBy } from './held-up.ts';

/** Whether nobody has to look after it: it ended well, and nothing asks for more of it. */
export function isFinished(end: ProgramEnd, declared: Declared, now: Moment): boolean {
  return isWell(end, declared) && heldUpBy(declared, now).length === 0;
}

/** With 0; or its work was declared complete and accepted before, and it was not seen at work after that. */
function isWell({ exitStatus, isOvertaken }: ProgramEnd, declared: Declared): boolean {
  return exitStatus === 0 || (acceptedCompletion(declared) !== null && !isOvertaken);
}

/** What is said of a session that went with its program, whose end is known. There is nothing to close. */
export function endedVerdict(end: ProgramEnd, declared: Declared, now: Moment): Verdict {
  const how = `${endWords(end)} ${ago(now.at - end.endedAt)}`;
  const reason = { source: 'tmux', observedAt: end.endedAt } as const;
  const against = heldUpBy(declared, now);
  const ended: Reason = { ...reason, code: 'program-ended', text: how };
  if (!isWell(end, declared)) {
    const text = `${how}${afterWords(end)}`;
    return goneVerdict('stale', end.endedAt, { ...ended, text }, ...against);
  }
  const [first, ...others] = against;
  if (first) return goneVerdict('stale', end.endedAt, first, ...others, ended);
  const text = end.exitStatus === 0 ? `finished: ${how}` : `finished: declared complete, then ${how}`;
  return goneVerdict('closed', end.endedAt, { ...reason, code: 'finished', text });
}

const LONGEST_LINE = 160;

function afterWords({ lines, isOvertaken }: ProgramEnd): string {
  const last = lines.at(-1);
  const said = last === undefined ? '' : `; last line: ${visible(last, LONGEST_LINE)}`;
  return `${isOvertaken ? ', at work after it was declared complete' : ''}${said}`;
}

/** What is said of a session that has a receipt. */
export function closedVerdict(
  closed: NonNullable<SessionFacts['closed']>,
  { ended, reopened }: Pick<SessionFacts, 'ended' | 'reopened'>,
  at: number,
): Verdict {
  const { receipt, result, reason } = closed;
  const how = result === 'finished' && ended ? `: ${endWords(ended)}` : because(reason ?? null);
  const next = reopened === null ? '' : `; reopened as ${reopened.key}`;
  const text = `${closedWords(closed, at)}, receipt ${receipt}${how}${next}`;
  const code = result === 'finished' ? 'finished' : 'closed';
  return goneVerdict('closed', closed.at, { code, source: 'declared', observedAt: closed.at, text });
}

/** What is said of a session that is gone while whoever closes it still has to say so. */
export function closingVerdict(since: number, at: number): Verdict {
  const text = `being closed since ${spoken(Math.max(0, at - since))}; it is gone, its receipt is to come`;
  return goneVerdict('closing', since, { code: 'closing', source: 'declared', observedAt: since, text });
}

/** How long ago it was closed, or finished, in words. */
export function closedWords(
  { result, at: since }: Pick<NonNullable<SessionFacts['closed']>, 'result' | 'at'>,
  at: number,
): string {
  return `${result === 'finished' ? 'finished' : 'closed'} ${ago(at - since)}`;
}

/** Nothing is there, so nothing is checked and nothing stands against anything. */
export function goneVerdict(
  lifecycle: 'lost' | 'stale' | 'closing' | 'closed',
  since: number,
  ...reasons: readonly [Reason, ...Reason[]]
): Verdict {
  return {
    ...{ activity: 'exited', waitingFor: null, lifecycle, since, retainedUntil: null },
    ...{ reasons, blockers: [], protections: [], checks: [], agent: null, panes: [] },
  };
}
