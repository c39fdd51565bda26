import { formatDuration, parseDuration } from '../core/text/duration.ts';
import { type Kind, type KindName, reading, SettingRefusal } from './setting.ts';

/** A span of time, in ms. */
export function duration(min: string, max: string) {
  return measure('duration', min, max, {
    phrase: 'a duration such as "90s", "45m", "6h" or "2d" (units ms, s, m, h, d)',
    parse: parseDuration,
    format: formatDuration,
    ofNumber: '; a number without a unit is milliseconds',
  });
}

/** A size, in bytes. */
export function bytes(min: string, max: string) {
  const phrase = 'a size such as "256KiB" or "1MiB" (units B, KiB, MiB, GiB)';
  return measure('bytes', min, max, { phrase, parse: parseBytes, format: formatBytes });
}

export function count(min: number, max: number) {
  return measure('count', min, max, { phrase: 'a whole number' });
}

export function percent(min: number, max: number) {
  return measure('percent', min, max, { phrase: 'a number', isFraction: true });
}

const UNITS: readonly (readonly [string, number])[] = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
];

/** Reads '256KiB', '1.5 MiB' …; null for anything else. Powers of 1024 only, so that nobody has to guess. */
export function parseBytes(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,6})?) ?(B|KiB|MiB|GiB)$/.exec(text.trim());
  const unitBytes = UNITS.find(([unit]) => unit === match?.[2])?.[1];
  if (match === null || unitBytes === undefined) return null;
  return Math.round(Number(match[1]) * unitBytes);
}

/** Writes a size as a file would: in the largest unit that needs no fraction. */
export function formatBytes(size: number): string {
  const [unit, unitBytes] = UNITS.find(([, each]) => size >= each && size % each === 0) ?? ['B', 1];
  return `${size / unitBytes}${unit}`;
}

interface Measure {
  /** How it is written. */
  readonly phrase: string;
  readonly isFraction?: true;
  /** Said where a number that was written without a unit is out of bounds. */
  readonly ofNumber?: string;
  parse?(text: string): number | null;
  format?(value: number): string;
}

/** A number within bounds, which are written as in a file. */
function measure<const K extends KindName, const B extends string | number>(
  kind: K,
  min: B,
  max: B,
  { phrase, isFraction, ofNumber = '', parse = () => null, format }: Measure,
) {
  const wrong = `is not ${phrase.split(' such as ')[0]}`;
  const toNumber = (written: unknown) => {
    if (typeof written === 'string') return parse(written);
    const isNumber = Number.isSafeInteger(written) || (isFraction && Number.isFinite(written));
    return isNumber ? Number(written) : null;
  };
  const [least, most] = [toNumber(min) ?? Number.NaN, toNumber(max) ?? Number.NaN];
  const schema = reading((written): number | SettingRefusal => {
    const value = toNumber(written);
    const hasNoUnit = kind === 'duration' && typeof written === 'string' && /^\s*\d+\s*$/.test(written);
    if (value === null) return new SettingRefusal(hasNoUnit ? 'has no unit' : wrong);
    if (!(value >= least)) return new SettingRefusal(`is below ${min}`);
    return value <= most ? value : new SettingRefusal(`is above ${max}`);
  });
  return {
    kind,
    schema,
    bounds: { min, max },
    ...(format && { format: (value: unknown) => format(Number(value)) }),
    hint: (written: unknown) =>
      `write ${phrase}, between ${min} and ${max}${Number.isSafeInteger(written) ? ofNumber : ''}`,
  } satisfies Kind;
}
