import { spoken } from '../../core/duration.ts';
import type { DaemonSighting, DaemonStanding } from '../../ports/daemon.ts';
import { age, count } from './amounts.ts';
import type { Line } from './line.ts';
import { line, span } from './line.ts';
import { wrap } from './wrap.ts';

/** Whether a daemon runs, how to reach it, and how it does. */
export function daemonLines(seen: DaemonSighting, now: number, width: number | null): Line[] {
  const say = (text: string) => wrap([span('  ')], line(text), width);
  if (seen.state === 'absent')
    return say('no daemon runs; rollcall works without one (rollcall up starts it)');
  if (seen.state === 'unknown') return say(`nobody can tell whether one runs: ${seen.text} (${seen.hint})`);
  const { pid, since, note, standing } = seen;
  const reached = [note?.url, note?.socket].filter((place) => typeof place === 'string');
  return [
    ...say(`runs, started ${age(since, now)} (pid ${pid})`),
    ...reached.flatMap(say),
    ...(note?.problems ?? []).flatMap((problem) => say(`! ${problem}`)),
    ...(standing === null ? say('its first round is under way') : standingLines(standing, now).flatMap(say)),
  ];
}

function standingLines(standing: DaemonStanding, now: number): string[] {
  const { rounds, nextAt, roundMs, roundCpuMs, missedHints, reaper } = standing;
  const next = nextAt > now ? `next in ${spoken(nextAt - now)}` : 'next now';
  const pending = reaper.pending === null ? '' : `, about to close ${reaper.pending.name}`;
  return [
    `${count(rounds, 'round')}, the last in ${roundMs} ms (${roundCpuMs} ms of CPU), ${next}`,
    ...(missedHints === 0 ? [] : [`${count(missedHints, 'change')} without a hint`]),
    `reaper: ${reaper.mode}${pending}`,
    ...(reaper.breaker === null ? [] : [`breaker: ${reaper.breaker}`]),
  ];
}
