import type { DaemonAnswer } from '../../core/supervision/answering.ts';
import { counted } from '../../core/text/counted.ts';
import { spoken } from '../../core/text/duration.ts';
import type { DaemonSighting, DaemonStanding } from '../../ports/daemon.ts';
import { age } from '../render/amounts.ts';
import type { Line } from '../render/line.ts';
import { line, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';

/** Whether a daemon runs, how to reach it, and how it does. */
export function daemonLines(
  seen: DaemonSighting,
  now: number,
  width: number | null,
  answer: DaemonAnswer | null = null,
): Line[] {
  const say = (text: string) => wrap([span('  ')], line(text), width);
  if (seen.state === 'absent')
    return say('no daemon runs; rollcall works without one (rollcall up starts it)');
  if (seen.state === 'unknown') return say(`nobody can tell whether one runs: ${seen.text} (${seen.hint})`);
  const { pid, since, note, standing } = seen;
  const isAway = answer !== null && answer.state !== 'answers';
  const reached = [note?.url, note?.socket].filter((place) => typeof place === 'string');
  return [
    ...say(`runs, started ${age(since, now)} (pid ${pid})`),
    ...(isAway ? silenceLines(answer, now).flatMap(say) : []),
    ...reached.flatMap(say),
    ...(note?.problems ?? []).flatMap((problem) => say(`! ${problem}`)),
    ...(standing === null
      ? say('its first round is under way')
      : standingLines(standing, now, isAway).flatMap(say)),
  ];
}

function silenceLines({ since, text, hint }: DaemonAnswer, now: number): string[] {
  const from = since === null ? '' : ` since its last round ${age(since, now)}`;
  return [`! not answering${from}: ${text}`, ...(hint === null ? [] : [`hint: ${hint}`])];
}

function standingLines(standing: DaemonStanding, now: number, isAway: boolean): string[] {
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
