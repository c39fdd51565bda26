import type { Pressure } from '../../core/pressure/judge-pressure.ts';
import type { JudgedSignal } from '../../core/pressure/judge-signal.ts';
import type { Reading, Signal } from '../../core/pressure/reading.ts';
import type { Tier } from '../../core/pressure/tier.ts';
import { amountOf } from '../../core/pressure/words.ts';
import { spoken } from '../../core/text/duration.ts';
import { age, partOf, shortDuration } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, span } from '../render/line.ts';
import { labelled } from '../render/page.ts';
import { paragraph, wrap } from '../render/wrap.ts';

const TIER_TONES: Readonly<Record<Tier, Tone>> = { normal: 'good', moderate: 'warning', critical: 'alarm' };

/** A value that is as it should be needs no colour. */
const SIGNAL_TONES: Readonly<Record<Tier, Tone | undefined>> = { ...TIER_TONES, normal: undefined };

const NAMES: Readonly<Record<Signal, string>> = {
  'stall-some': 'some waited',
  'stall-full': 'all waited',
  available: 'available',
  oom: 'ran out',
  'os-level': 'system level',
  swap: 'swap left',
};

/** The tier, why, what comes next, and every signal under whose memory it is. */
export function pressureLines(pressure: Pressure, now: number, width: number | null): Line[] {
  const { tier, since, isFirstLook, reason, next, signals } = pressure;
  const scopes = [...new Set(signals.map(({ reading }) => reading.scope))];
  const when = isFirstLook
    ? 'first look: nothing earlier to compare with'
    : `for ${shortDuration(now - since)}`;
  return [
    ...wrap([span('  ')], [span(tier, TIER_TONES[tier]), span(`  ${when}`, 'quiet')], width),
    ...paragraph(reason.text, width, 2),
    ...(next === null
      ? []
      : paragraph(`${next.tier} in ${spoken(next.inMs)} if everything stays as it is`, width, 2)),
    ...scopes.flatMap((scope) => {
      const own = signals.filter(({ reading }) => reading.scope === scope);
      return [...scopeLines(own, width), ...own.flatMap((signal) => signalLines(signal, now, width))];
    }),
  ];
}

function scopeLines([first]: readonly JudgedSignal[], width: number | null): Line[] {
  const { scope = '', holders = [] } = first?.reading ?? {};
  const inhabitants = holders.length === 0 ? '' : ` of ${holders.join(', ')}`;
  return wrap([span('  ')], [span(scope, 'calm'), span(inhabitants, 'quiet')], width);
}

function signalLines(
  { reading, thresholds, reached }: JudgedSignal,
  now: number,
  width: number | null,
): Line[] {
  const named = (body: Line) => labelled(NAMES[reading.signal], body, width, { indent: 4, room: 14 });
  const seen = now - reading.observedAt >= 1000 ? `, ${age(reading.observedAt, now)}` : '';
  const where = span(`  ${reading.source}${seen}`, 'quiet');
  if (reading.state !== 'read') {
    const word = reading.state === 'absent' ? 'not there' : 'could not be read';
    return named([span(word, 'doubt'), span(`: ${reading.text}`), where]);
  }
  const value = span(valueWords(reading), reached === null ? undefined : SIGNAL_TONES[reached]);
  if (thresholds === null) return named([value, span('  shown only', 'quiet'), where]);
  const bounds = span(boundsOf(reading.signal, thresholds), 'quiet');
  return [...named([value]), ...labelled('', [bounds, where], width, { room: 18 })];
}

function valueWords(reading: Extract<Reading, { state: 'read' }>): string {
  const { signal, value, totalBytes, averages } = reading;
  if (averages !== undefined) {
    return averages.map((one) => `${one.value.toFixed(1)} % in ${shortDuration(one.overMs)}`).join(', ');
  }
  if (totalBytes !== undefined) return partOf(value, totalBytes);
  return signal === 'oom' && value === 0 ? 'never' : amountOf(signal, value);
}

function boundsOf(signal: Signal, thresholds: NonNullable<JudgedSignal['thresholds']>): string {
  if (signal === 'oom') return 'critical when it happens';
  const side = thresholds.isLowBad ? 'below' : 'from';
  const say = (amount: number) => amountOf(signal, amount).replace(' of the time', '');
  return `moderate ${side} ${say(thresholds.moderate)}, critical ${side} ${say(thresholds.critical)}`;
}
