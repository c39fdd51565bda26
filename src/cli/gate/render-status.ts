import type { SeenGate } from '../../operations/gate.ts';
import { type Line, line, span } from '../render/line.ts';
import { page } from '../render/page.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { contractLines } from './render-contract.ts';
import { switchWords } from './render-mode.ts';

const WHERE =
  'Next: rollcall gate status --run (look at the checks now) · rollcall gate report (what came of it) · rollcall gate mode';

/** Every contract, and what holds for all of them. `isAll`: those that ended are among them. */
export function gateStatusLines(
  { at, contracts, mode, switchedOff, problems }: SeenGate,
  { isAll, width }: { readonly isAll: boolean; readonly width: number | null },
): Line[] {
  const none = `No ${isAll ? '' : 'open '}contracts; the mode here is ${mode}. rollcall gate start asks an agent to go on until its work is done.`;
  const alarms = switchedOff === null ? problems : [switchWords(switchedOff, at), ...problems];
  const shown = contracts.map((one) => contractLines(one, at, width));
  const rest = [...shown, paragraph(WHERE, width, 0, 'quiet')];
  return [
    ...alarms.flatMap((text) => wrap([span('! ', 'warning')], line(text), width)),
    ...(contracts.length === 0 ? paragraph(none, width) : page(rest)),
  ];
}
