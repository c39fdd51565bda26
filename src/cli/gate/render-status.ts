import type { ShownContract } from '../../contract/gate-documents.ts';
import type { GateMode } from '../../core/gate/mode.ts';
import type { GateSwitch } from '../../ports/gate.ts';
import { type Line, line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { contractLines } from './render-contract.ts';
import { switchWords } from './render-mode.ts';

/** What the page of `rollcall gate status` is made of. */
export interface GateStatusView {
  readonly mode: GateMode;
  readonly switchedOff: GateSwitch | null;
  readonly problems: readonly string[];
  /** Those that ended are among them. */
  readonly isAll: boolean;
}

const WHERE =
  'Next: rollcall gate status --run (look at the checks now) · rollcall gate report (what came of it) · rollcall gate mode';

/** Every contract, and what holds for all of them. */
export function gateStatusLines(
  contracts: readonly ShownContract[],
  { mode, switchedOff, problems, isAll }: GateStatusView,
  now: number,
  width: number | null,
): Line[] {
  const none = `No ${isAll ? '' : 'open '}contracts; the mode here is ${mode}. rollcall gate start asks an agent to go on until its work is done.`;
  return [
    ...(switchedOff === null
      ? []
      : wrap([span('! ', 'warning')], line(switchWords(switchedOff, now)), width)),
    ...problems.flatMap((problem) => wrap([span('! ', 'warning')], line(problem), width)),
    ...(contracts.length === 0 ? paragraph(none, width) : []),
    ...contracts.flatMap((shown, index) => [
      ...(index === 0 ? [] : [line()]),
      ...contractLines(shown, now, width),
    ]),
    ...(contracts.length === 0 ? [] : [line(), ...wrap([], line(WHERE, 'quiet'), width)]),
  ];
}
