import type { Mending } from '../../core/doctor/finding.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, line, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';

const TONES: Readonly<Record<Mending['result'], Tone | undefined>> = {
  mended: 'good',
  'would-mend': 'calm',
  skipped: 'quiet',
  unanswered: 'warning',
  failed: 'alarm',
};

/** What became of findings, a line each. */
export function mendingLines(mendings: readonly Mending[], width: number | null): Line[] {
  return mendings.flatMap(({ result, finding, text }) =>
    wrap([span(result, TONES[result]), span('  ')], line(`${finding.text}: ${text}`), width),
  );
}
