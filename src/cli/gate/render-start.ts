import type { ShownContract } from '../../contract/gate-documents.ts';
import type { GateMode } from '../../core/gate/mode.ts';
import { counted } from '../../core/text/counted.ts';
import type { GateSwitch } from '../../ports/gate.ts';
import { type Line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { checkLines, untilWords } from './render-contract.ts';
import { modeTone, switchWords } from './render-mode.ts';

const MEANS: Readonly<Record<GateMode, string>> = {
  off: ': it may stop whenever it wants to. rollcall gate mode enforce switches',
  shadow:
    ': nothing is blocked yet, and what would have been is recorded (rollcall gate report). rollcall gate mode enforce switches',
  enforce: ': it is kept going while something is missing',
};

interface StartView {
  readonly isReplaced: boolean;
  readonly switchedOff: GateSwitch | null;
  readonly now: number;
  readonly width: number | null;
}

/** What is asked for from now on, and whether anything comes of it. */
export function gateStartLines(
  { contract, mode }: ShownContract,
  { isReplaced, switchedOff, now, width }: StartView,
): Line[] {
  const { owner, checks, reinforce, id, cwd } = contract;
  const what =
    checks.length === 0
      ? 'until it is declared finished'
      : `until ${counted(checks.length, 'check')} hold${checks.length === 1 ? 's' : ''}`;
  const who = `: ${owner.agent.kind} in ${owner.paneId} is to go on ${what}`;
  const times = `at most ${counted(reinforce, 'time')}, ${untilWords(contract, contract.startedAt)}, checks run in ${cwd}`;
  const instead = isReplaced ? ', instead of what was asked before' : '';
  const where = `rollcall gate status shows how it stands; rollcall gate finish ${id} or abandon ${id} ends it`;
  return [
    ...wrap([], [span(owner.session.name, 'heading'), span(who), span(instead)], width),
    ...(contract.task === null ? [] : paragraph(contract.task, width, 2)),
    ...checkLines(checks, now, width),
    ...paragraph(times, width, 2),
    ...wrap([span('  ')], [span('mode '), span(mode, modeTone(mode)), span(MEANS[mode])], width),
    ...(switchedOff === null ? [] : paragraph(switchWords(switchedOff, now), width, 2, 'warning')),
    ...paragraph(where, width, 2, 'quiet'),
  ];
}
