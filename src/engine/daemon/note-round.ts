import type { Change, Round, SessionState } from '../../core/supervision/round.ts';
import { spoken } from '../../core/text/duration.ts';
import { visible } from '../../core/text/visible.ts';
import type { DaemonLog } from '../../ports/daemon.ts';

/** Less is the jitter of the clocks. */
const WORTH_TELLING_MS = 2000;

/** Writes down what a round found, if it found anything. */
export function noteRound(log: DaemonLog, before: Round | null, round: Round): void {
  if (before === null) log.note('first-round', { sessions: round.roll.sessions.length });
  else noteClocks(log, before, round);
  for (const change of round.changes)
    log.note(change.kind, { round: round.number, text: changeText(change) });
}

function noteClocks(log: DaemonLog, before: Round, { now }: Round): void {
  const sleptMs = now.suspendedMs - before.now.suspendedMs;
  const steppedMs = now.at - before.now.at - (now.awakeMs - before.now.awakeMs) - sleptMs;
  if (sleptMs >= WORTH_TELLING_MS) log.note('machine-slept', { text: spoken(sleptMs) });
  if (Math.abs(steppedMs) >= WORTH_TELLING_MS) log.note('clock-stepped', { ms: Math.round(steppedMs) });
}

type ToldEvent = Pick<Extract<Change, { kind: 'reaper' | 'settle' }>['event'], 'kind' | 'session' | 'text'>;

/** As much of a change as is put into words. */
type Told =
  | Pick<Extract<Change, { kind: 'session' }>, 'kind' | 'session' | 'from' | 'to'>
  | Pick<Extract<Change, { kind: 'pressure' }>, 'kind' | 'from' | 'to' | 'text'>
  | { readonly kind: 'reaper' | 'settle'; readonly event: ToldEvent }
  | { readonly kind: 'problem'; readonly isOver: boolean; readonly problem: { readonly text: string } };

/** One change in one line. */
export function changeText(change: Told): string {
  switch (change.kind) {
    case 'session':
      return `${change.session.name} (${change.session.server}): ${stateText(change.from)} → ${stateText(change.to)}`;
    case 'pressure':
      return `pressure ${change.from} → ${change.to}: ${change.text}`;
    case 'reaper':
    case 'settle': {
      const { kind, session, text } = change.event;
      return visible(`${change.kind} ${kind}${session ? ` ${session.name}` : ''}: ${text}`, 400);
    }
    case 'problem':
      return visible(`${change.isOver ? 'over' : 'problem'}: ${change.problem.text}`, 400);
  }
}

function stateText(state: SessionState | null): string {
  if (state === null) return 'not there';
  const waits = state.waitingFor === null ? '' : ` for ${state.waitingFor}`;
  return `${state.activity}${waits}, ${state.lifecycle}${state.isAttached ? ', attached' : ''}`;
}
