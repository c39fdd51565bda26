import { phaseNow, type ShownContract } from '../../contract/gate-documents.ts';
import type { CheckedItem } from '../../core/gate/check.ts';
import { checkText } from '../../core/gate/check-text.ts';
import type { GateContract, GatePhase } from '../../core/gate/contract.ts';
import { isStamped } from '../../core/gate/early.ts';
import { counted } from '../../core/text/counted.ts';
import { age, localTime, shortDuration } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { modeTone } from './render-mode.ts';

const MARKS = { met: ['✓', 'good'], unmet: ['✗', 'alarm'], unknown: ['?', 'doubt'] } as const;

const PHASE_TONES: Readonly<Record<GatePhase, Tone>> = {
  ...{ open: 'calm', finished: 'good', abandoned: 'quiet', expired: 'quiet' },
};

/** A contract with everything that is known of it. */
export function contractLines(shown: ShownContract, now: number, width: number | null): Line[] {
  const { contract, mode } = shown;
  const { owner, task, ended, stale, cwd, id } = contract;
  const phase = phaseNow(contract, now);
  const head = [
    span(owner.session.name, 'heading'),
    span(`  ${owner.agent.kind} in ${owner.paneId} · `),
    span(phase, PHASE_TONES[phase]),
    span(' · '),
    span(mode, modeTone(mode)),
    span(
      ` · ${usedWords(contract, mode === 'enforce')}${phase === 'open' ? ` · ${untilWords(contract, now)}` : ''}`,
    ),
  ];
  const who = owner.conversation === '' ? 'conversation not known' : `conversation ${owner.conversation}`;
  return [
    ...wrap([], head, width),
    ...(task === null ? [] : paragraph(task, width, 2)),
    ...checkLines(contract.checks, now, width),
    ...(!isStamped(owner) && phase === 'open' ? paragraph(UNSTAMPED, width, 2, 'warning') : []),
    ...(stale === null ? [] : paragraph(`let go ${age(stale.at, now)}: ${stale.text}`, width, 2, 'warning')),
    ...(ended === null ? [] : paragraph(`ended ${age(ended.at, now)}: ${ended.text}`, width, 2)),
    ...paragraph(`${id} · ${who} · checks run in ${cwd}`, width, 2, 'quiet'),
  ];
}

const UNSTAMPED =
  'nobody knew its conversation when this was started, so nobody is kept going: start it again with --replace';

/** Every check, with what came of it last. */
export function checkLines(checks: readonly CheckedItem[], now: number, width: number | null): Line[] {
  if (checks.length === 0) return paragraph('no checks: only rollcall gate finish ends it', width, 2);
  return checks.flatMap(({ check, result }) => {
    const [mark, tone] = result === null ? (['·', 'quiet'] as const) : MARKS[result.state];
    const why = result === null || result.state === 'met' ? '' : `: ${result.text}`;
    const when = result === null ? ' (not looked at yet)' : ` (${age(result.at, now)})`;
    return wrap(
      [span('  '), span(mark, tone), span(' ')],
      [span(`${checkText(check)}${why}`), span(when, 'quiet')],
      width,
    );
  });
}

/** How much of its budget is used; shadow has one of its own. */
export function usedWords({ reinforce, enforced, shadowed }: GateContract, isEnforced: boolean): string {
  return isEnforced
    ? `kept going ${enforced.used} of ${counted(reinforce, 'time')}`
    : `would have been kept going ${shadowed.used} of ${counted(reinforce, 'time')}`;
}

/** Until when it is asked for. */
export function untilWords({ expiresAt }: GateContract, now: number): string {
  return `until ${localTime(expiresAt)} (${shortDuration(expiresAt - now)})`;
}
