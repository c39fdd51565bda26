import type { ReapModeState } from '../../contract/reap-documents.ts';
import type { ReapBudget, ReapMode } from '../../core/reaper/standing.ts';
import { age, shortDuration } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

const TONES: Readonly<Record<ReapMode, Tone>> = { off: 'quiet', shadow: 'calm', enforce: 'good' };

const MEANS: Readonly<Record<ReapMode, string>> = {
  off: 'nothing is decided, recorded or closed',
  shadow: 'it decides and records what it would close, and touches nothing',
  enforce: 'under memory pressure it closes managed sessions, one at a time',
};

const WHERE: Readonly<Record<ReapMode, string | null>> = {
  off: null,
  shadow: 'rollcall reap now --dry-run shows what would go, rollcall reap report what would have gone',
  enforce:
    'rollcall reap now --dry-run shows what would go, rollcall reap report what went; rollcall reopen puts it back, rollcall hold keeps a session',
};

interface Shown {
  readonly isSet: boolean;
  readonly now: number;
  readonly width: number | null;
}

/** What the reaper may do, and what holds it down. */
export function reapModeLines(state: ReapModeState, { isSet, now, width }: Shown): Line[] {
  const { mode, wanted, breaker, budget, problem } = state;
  const said = [span(isSet ? 'the reaper is set to ' : 'the reaper is in mode '), span(mode, TONES[mode])];
  const indented = (text: string, tone?: Tone) => paragraph(text, width, 2, tone);
  const where = WHERE[mode];
  return [
    ...wrap([], [...said, span(`: ${MEANS[mode]}`)], width),
    ...(breaker === null
      ? []
      : indented(
          `${wanted} was asked for; it fell back ${age(breaker.at, now)}${breaker.session ? ` at ${breaker.session.name}` : ''}: ${breaker.text}. rollcall reap mode ${wanted} resets that`,
          'warning',
        )),
    ...(problem === null ? [] : indented(problem, 'warning')),
    ...(mode === 'off' ? [] : indented(budgetWords(budget, now))),
    ...(where === null ? [] : indented(where, 'quiet')),
  ];
}

/** How many closes the hour has left. */
export function budgetWords({ perHour, used, freeAt, problem }: ReapBudget, now: number): string {
  if (problem !== null) return `${problem}; nothing is closed`;
  const next = freeAt === null ? '' : `; the next is free in ${shortDuration(freeAt - now)}`;
  return `${used} of ${perHour} closes of this hour are used${next}`;
}
