import { toGateSwitchDocument } from '../../contract/gate-documents.ts';
import { visible } from '../../core/text/visible.ts';
import { type SwitchWish, setGateSwitch } from '../../engine/gate/set-mode.ts';
import { orFail } from '../../operations/failure.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';

const TEXTS = {
  off: 'the gate is off: every stop is let through, in every session, until rollcall gate on',
  'already-off': 'the gate is off already',
  on: 'the gate is on again; rollcall gate mode says what it may do',
  'already-on': 'the gate was not off',
} as const;

/** Trips the switch or lifts it, and says so. That it could not be recorded is said beside. */
export async function turnSwitch(
  surroundings: Surroundings,
  wish: SwitchWish,
  { isJson }: { readonly isJson: boolean },
): Promise<number> {
  const { stdout, stderr, ledger } = surroundings;
  const set = orFail(await setGateSwitch(ledger, await surroundings.gate(), wish));
  const was = set.before === null ? 'on' : 'off';
  const result = was === wish.state ? (`already-${wish.state}` as const) : wish.state;
  const warnings =
    set.unrecorded === null ? [] : [`it holds, but could not be recorded: ${visible(set.unrecorded)}`];
  if (isJson) writeJson(stdout, toGateSwitchDocument(result, set.now, warnings));
  else {
    const why = set.now?.reason == null ? '' : `: ${set.now.reason}`;
    stdout.write(`${visible(`${TEXTS[result]}${why}`)}\n`);
    for (const warning of warnings) stderr.write(`! ${warning}\n`);
  }
  return 0;
}
