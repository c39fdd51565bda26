import type { Due } from '../../core/settle/due.ts';
import type { SettleMode } from '../../core/settle/standing.ts';
import type { DaemonAnswer } from '../../core/supervision/answering.ts';
import { counted } from '../../core/text/counted.ts';
import { spoken } from '../../core/text/duration.ts';
import type { SeenStatus } from '../../operations/status.ts';
import type { DaemonStanding } from '../../ports/daemon.ts';
import { age } from '../render/amounts.ts';
import { type Line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

/** Whether a daemon runs, how to reach it, and how it does. */
export function daemonLines({ seen, answer, roll }: SeenStatus, width: number | null): Line[] {
  return daemonTexts(seen, answer ?? null, roll.at).flatMap((text) => paragraph(text, width, 2));
}

function daemonTexts(seen: SeenStatus['seen'], answer: DaemonAnswer | null, now: number): string[] {
  if (seen.state === 'absent') {
    return ['no daemon runs; rollcall works without one (rollcall up starts it)'];
  }
  if (seen.state === 'unknown') {
    return [`nobody can tell whether one runs: ${seen.text} (${seen.hint})`];
  }
  const { pid, since, note, standing } = seen;
  const isAway = answer !== null && answer.state !== 'answers';
  return [
    `runs, started ${age(since, now)} (pid ${pid})`,
    ...(isAway ? silenceTexts(answer, now) : []),
    ...[note?.url, note?.socket].filter((place) => typeof place === 'string'),
    ...(note?.problems ?? []).map((problem) => `! ${problem}`),
    ...(standing === null ? ['its first round is under way'] : standingTexts(standing, now, isAway)),
  ];
}

function silenceTexts({ since, text, hint }: DaemonAnswer, now: number): string[] {
  const from = since === null ? '' : ` since its last round ${age(since, now)}`;
  return [`! not answering${from}: ${text}`, ...(hint === null ? [] : [`hint: ${hint}`])];
}

function standingTexts(standing: DaemonStanding, now: number, isAway: boolean): string[] {
  const { rounds, nextAt, roundMs, roundCpuMs, missedHints, reaper } = standing;
  const due = nextAt > now ? `next in ${spoken(nextAt - now)}` : 'next now';
  const next = isAway ? 'none follows for now' : due;
  const pending = reaper.pending === null ? '' : `, about to close ${reaper.pending.name}`;
  return [
    `${counted(rounds, 'round')}, the last in ${roundMs} ms (${roundCpuMs} ms of CPU), ${next}`,
    ...(missedHints === 0 ? [] : [`${counted(missedHints, 'change')} without a hint`]),
    `reaper: ${reaper.mode}${pending}`,
    ...(reaper.breaker === null ? [] : [`breaker: ${reaper.breaker}`]),
  ];
}

/** What is to be closed because its work was declared complete, and when; nothing where nothing is. */
export function dueLines({ due, seen, roll }: SeenStatus, width: number | null): Line[] {
  if (due.length === 0) return [];
  const by = seen.state === 'running' ? (seen.standing?.settle?.mode ?? 'off') : 'nobody';
  return [
    ...paragraph(WHO[by], width, 2),
    ...due.flatMap(({ name, state, dueAt, why }) => {
      const words = `${when(state, dueAt, roll.at)}: ${why}`;
      return wrap([span('  ')], [span(`${name}  `), span(words, 'quiet')], width);
    }),
  ];
}

/** Who closes what is due: the daemon in one of its modes, or nobody. */
const WHO: Readonly<Record<SettleMode | 'nobody', string>> = {
  on: 'the daemon closes them by itself when they are due, one at a time',
  shadow: 'daemon.settle is shadow: nothing is closed by itself; rollcall close --due closes what is due',
  off: 'daemon.settle is off: nothing is closed by itself; rollcall close --due closes what is due',
  nobody: 'no daemon runs: nothing is closed by itself; rollcall close --due closes what is due',
};

function when(state: Due['state'], dueAt: number | null, now: number): string {
  const inTime = dueAt === null ? 'at some time' : dueAt > now ? `in ${spoken(dueAt - now)}` : 'now';
  const words: Readonly<Record<Due['state'], string>> = {
    due: 'now',
    closing: 'being closed',
    failed: `failed, again ${inTime}`,
    later: inTime,
    working: 'after its turn',
    unproven: 'not proven',
    protected: 'protected',
  };
  return words[state];
}
