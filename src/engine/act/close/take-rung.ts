import { type ClosingPane, runningItself } from '../../../core/close/closing-pane.ts';
import type { Rung } from '../../../core/close/ladder.ts';
import { shownIn } from '../../../core/close/typed.ts';
import { type ProcessMark, processKey } from '../../../core/sight/identity.ts';
import { named, type ProcessNote } from '../../../core/verdict/evidence.ts';
import type { Stance } from '../../../ports/actuator.ts';
import type { Hands } from '../hands.ts';
import { layToSleep } from '../sleep/sleep-rung.ts';
import { askToLeave, chainOf } from './ask.ts';
import type { Belongings } from './belongings.ts';
import { inOneStep, setAside, type WithheldStep } from './one-step.ts';
import { signalIf, untilGone } from './processes.ts';
import { remove } from './remove-rung.ts';
import {
  type Climb,
  DONE,
  ended,
  type JudgedSession,
  late,
  type Over,
  type RungOutcome,
  SKIPPED,
  withheld,
} from './taken.ts';

type TakeRung = (climbing: Climb, judged: JudgedSession, over: Over) => Promise<RungOutcome>;

/** Takes one rung on what was judged. */
export const takeRung: Readonly<Record<Exclude<Rung, 'sweep'>, TakeRung>> = {
  ask,
  terminate,
  kill,
  sleep: layToSleep,
  remove,
};

// One agent at a time: what the first says on its way out would speak against asking the next.
async function ask(
  climbing: Climb,
  { entry, panes, stance, asked }: JudgedSession,
  over: Over,
): Promise<RungOutcome> {
  const pane = panes.find((one) => !one.isShared && one.agent !== null && !asked.has(one.paneId));
  if (pane === undefined) return SKIPPED;
  const answer = await askToLeave(climbing, { pane, stance, shown: shownIn(entry, pane.paneId) });
  switch (answer.state) {
    case 'left':
    case 'skipped':
    case 'stayed':
      asked.add(pane.paneId);
      over(OF_ASKING[answer.state], answer.text);
      return answer.state === 'skipped' ? SKIPPED : DONE;
    case 'stirred':
      return { state: 'again', text: answer.text };
    case 'disturbed':
      return ended('aborted', answer.text, over);
    default:
      return withheld(answer, over);
  }
}

const OF_ASKING = { left: 'done', skipped: 'skipped', stayed: 'unanswered' } as const;

async function terminate(
  climbing: Climb,
  { panes, stance }: JudgedSession,
  over: Over,
): Promise<RungOutcome> {
  const { hands, subject, wish, timings, patience, belongings } = climbing;
  const first = whomToEnd(hands, panes, wish.isForced, belongings);
  // A launcher ends with what it launched, and is asked itself only where it does not.
  const chain = ownOf(panes).flatMap(chainOf).filter(belongings.mayEnd);
  const all = [...new Set([...first, ...chain])];
  const wait = (marks: readonly ProcessNote[]) =>
    untilGone(hands, marks, patience.within(timings.terminateMs), timings);
  const sent = await signal(climbing, 'terminate', stance, first);
  if (sent.state !== 'sent') return unsent(sent, over);
  const { refused } = sent;
  let left = await wait(all);
  const launchers = left.filter((one) => !first.includes(one));
  if (launchers.length > 0 && launchers.length === left.length && !patience.isOver()) {
    const now = await hands.tmux.stance(subject.target);
    const more = now.state === 'seen' ? await signal(climbing, 'terminate', now.stance, launchers) : null;
    if (more?.state === 'withheld' && more.why.state !== 'objected') return withheld(more.why, over);
    if (more?.state === 'sent') {
      refused.push(...more.refused);
      left = await wait(left);
    }
  }
  const text = report('SIGTERM', all, left, refused);
  over(left.length === 0 ? 'done' : 'unanswered', text);
  if (left.length > 0 && patience.isOver()) return late(text);
  return first.length > 0 ? DONE : SKIPPED;
}

async function kill(climbing: Climb, { panes, stance }: JudgedSession, over: Over): Promise<RungOutcome> {
  const { hands, timings, patience, belongings } = climbing;
  const all = ownOf(panes).flatMap(runningItself).filter(belongings.mayEnd);
  const sent = await signal(climbing, 'kill', stance, all);
  if (sent.state !== 'sent') return unsent(sent, over);
  const left = await untilGone(hands, all, patience.within(timings.killMs), timings);
  const text = report('SIGKILL', all, left, sent.refused);
  over(left.length === 0 ? 'done' : 'failed', text);
  if (left.length > 0 && patience.isOver()) return late(text);
  return all.length > 0 ? DONE : SKIPPED;
}

type Signalled =
  | { readonly state: 'sent'; readonly refused: string[] }
  | { readonly state: 'withheld'; readonly why: WithheldStep }
  | Exclude<RungOutcome, { state: 'done' }>;

const SIGNALS = { terminate: 'SIGTERM', kill: 'SIGKILL' } as const;

async function signal(
  climbing: Climb,
  name: keyof typeof SIGNALS,
  stance: Stance,
  marks: readonly ProcessMark[],
): Promise<Signalled> {
  const { hands, footing, step } = climbing;
  const sent = await inOneStep(climbing, 'brief', async (): Promise<Signalled> => {
    const terms = { stance, aside: setAside(footing) };
    const acted = await step(name, () => signalIf(hands, terms, marks, SIGNALS[name]));
    if (acted.state === 'done') return { state: 'sent', refused: acted.refused };
    if (acted.state === 'stirred') return { state: 'again', text: acted.text };
    const state = acted.state === 'changed' ? 'aborted' : 'failed';
    return { state: 'over', end: { state, text: acted.text } };
  });
  return sent.state === 'stepped' ? sent.value : { state: 'withheld', why: sent };
}

function unsent(sent: Exclude<Signalled, { state: 'sent' }>, over: Over): RungOutcome {
  if (sent.state === 'withheld') return withheld(sent.why, over);
  // No answer is not a no: whoever got it may be leaving.
  if (sent.state === 'over' && sent.end.state === 'failed') over('failed', sent.end.text);
  return sent;
}

function report(
  signal: string,
  all: readonly ProcessNote[],
  left: readonly ProcessNote[],
  refused: readonly string[],
): string {
  const ended = all.filter((one) => !left.includes(one)).map(named);
  return [
    ...(ended.length > 0 ? [`${ended.join(', ')} ended on ${signal}`] : []),
    ...(left.length > 0 ? [`${left.map(named).join(', ')} did not`] : []),
    ...refused,
  ].join('; ');
}

/**
 * The processes that get SIGTERM: the agent of each pane, or its whole process group where a launcher swallows the signal. With
 * force, also everything else that runs in the panes. Never a process that was not listed before the first rung.
 */
export function whomToEnd(
  hands: Hands,
  panes: readonly ClosingPane[],
  isForced: boolean,
  { mayEnd }: Pick<Belongings, 'mayEnd'>,
): ProcessNote[] {
  const chosen = ownOf(panes).flatMap((pane) => (isForced ? runningItself(pane) : agentOf(hands, pane)));
  return [...new Map(chosen.filter(mayEnd).map((note) => [processKey(note), note])).values()];
}

// A pane whose window is in another session too lives on.
function ownOf(panes: readonly ClosingPane[]): ClosingPane[] {
  return panes.filter(({ isShared }) => !isShared);
}

function agentOf(hands: Hands, pane: ClosingPane): ProcessNote[] {
  const { agent, processes } = pane;
  if (agent === null) return [];
  const exit = hands.agents.find(({ kind }) => kind === agent.agentKind)?.exit;
  if (exit?.signal !== 'group') return [agent];
  const { byPid } = hands.processes.sense();
  const group = byPid.get(agent.pid)?.pgid;
  const members = processes.filter(({ pid }) => group !== undefined && byPid.get(pid)?.pgid === group);
  return [...new Set([...chainOf(pane), ...members])];
}
