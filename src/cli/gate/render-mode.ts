import type { GateModeState } from '../../contract/gate-documents.ts';
import { DEFAULT_GATE_MODE, type GateMode } from '../../core/gate/mode.ts';
import type { GateSwitch } from '../../ports/gate.ts';
import { age } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

const TONES: Readonly<Record<GateMode, Tone>> = { off: 'quiet', shadow: 'calm', enforce: 'good' };

const MEANS: Readonly<Record<GateMode, string>> = {
  off: 'every stop is let through, and nothing is decided',
  shadow: 'it decides and records what it would have said; nothing is blocked',
  enforce: 'the proven owner of unfinished work is kept going, as often as its contract says',
};

const WHERE: Readonly<Record<GateMode, string | null>> = {
  off: null,
  shadow: 'rollcall gate report shows what it would have done; rollcall gate mode enforce switches',
  enforce: 'rollcall gate report shows what it did; rollcall gate off --now ends it at once',
};

/** The tone of a mode. */
export function modeTone(mode: GateMode): Tone {
  return TONES[mode];
}

/** What the gate may do here, and by whose word. */
export function gateModeLines(
  state: GateModeState,
  { isSet, now, width }: { readonly isSet: boolean; readonly now: number; readonly width: number | null },
): Line[] {
  const { mode, problem, switchedOff } = state;
  const said = [span(isSet ? 'the gate is now in mode ' : 'the gate is in mode '), span(mode, TONES[mode])];
  const indented = (text: string, tone?: Tone) => paragraph(text, width, 2, tone);
  const where = WHERE[mode];
  return [
    ...wrap([], [...said, span(` here: ${MEANS[mode]}`)], width),
    ...settingTexts(state).flatMap((text) => indented(text)),
    ...(problem === null ? [] : indented(`${problem}; nothing is enforced`, 'warning')),
    ...(switchedOff === null ? [] : indented(switchWords(switchedOff, now), 'warning')),
    ...(where === null ? [] : indented(where, 'quiet')),
  ];
}

/** That the switch is tripped, since when and why. */
export function switchWords({ at, reason }: GateSwitch, now: number): string {
  const why = reason === null ? '' : `: ${reason}`;
  return `switched off ${age(at, now)}${why}; every stop is let through until rollcall gate on`;
}

function settingTexts({ user, projects, root }: GateModeState): string[] {
  const own = root === null ? undefined : projects[root];
  const others = Object.entries(projects).filter(([path]) => path !== root);
  return [
    `user: ${user ?? `not set, which is ${DEFAULT_GATE_MODE}`}${own === undefined ? '  (holds here)' : ''}`,
    ...(root === null ? [] : [`project ${root}: ${own === undefined ? 'not set' : `${own}  (holds here)`}`]),
    ...others.map(([path, mode]) => `project ${path}: ${mode}`),
  ];
}
