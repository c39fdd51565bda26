import { PRESSING } from '../core/pressure/tier.ts';
import { REAP_WAYS } from '../core/reaper/way.ts';
import { RESTORE_MODES } from '../core/restore/mode.ts';
import { SETTLE_MODES } from '../core/settle/mode.ts';
import { formatDuration, parseDuration } from './duration.ts';
import type { Kind } from './settings-table.ts';

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
export function formatBytes(bytes: number): string {
  const [unit, unitBytes] = UNITS.find(([, size]) => bytes >= size && bytes % size === 0) ?? ['B', 1];
  return `${bytes / unitBytes}${unit}`;
}

const LONGEST_PATTERN = 256;

interface Bounded {
  readonly kind: Kind;
  readonly min: number;
  readonly max: number;
}

type Value = number | readonly string[];

/** A value, or why it is none and what would be one. */
export type Parsed =
  | { readonly isValid: true; readonly value: Value }
  | { readonly isValid: false; readonly text: string; readonly hint: string };

/** Reads one value as a file or a flag has it, and holds it to its bounds. */
export function parseValue(setting: Bounded, written: unknown): Parsed {
  if (setting.kind === 'patterns') return parsePatterns(setting, written);
  const value = toNumber(setting.kind, written);
  if (value === null) return refuse(setting, wrongKind(setting.kind, written));
  if (value < setting.min)
    return refuse(setting, `is below ${formatValue(setting.kind, setting.min)}`, written);
  if (value > setting.max)
    return refuse(setting, `is above ${formatValue(setting.kind, setting.max)}`, written);
  return { isValid: true, value };
}

/** Writes a value as a file would have it. */
export function formatValue(kind: Kind, value: Value): string | number | readonly string[] {
  if (typeof value !== 'number') return value;
  if (kind === 'duration') return formatDuration(value);
  if (kind === 'switch') return SWITCH[value] ?? value;
  if (kind === 'tier') return PRESSING[value] ?? value;
  if (kind === 'settle') return SETTLE_MODES[value] ?? value;
  if (kind === 'way') return REAP_WAYS[value] ?? value;
  if (kind === 'restore') return RESTORE_MODES[value] ?? value;
  return kind === 'bytes' ? formatBytes(value) : value;
}

const SWITCH: readonly string[] = ['off', 'on'];

function toNumber(kind: Kind, written: unknown): number | null {
  if (kind === 'switch' && typeof written === 'boolean') return Number(written);
  if (typeof written === 'number') {
    const isWhole = Number.isSafeInteger(written);
    return isWhole || (kind === 'percent' && Number.isFinite(written)) ? written : null;
  }
  if (typeof written !== 'string') return null;
  if (kind === 'duration') return parseDuration(written);
  if (kind === 'switch') return placeIn(SWITCH, written);
  if (kind === 'tier') return placeIn(PRESSING, written);
  if (kind === 'settle') return placeIn(SETTLE_MODES, written);
  if (kind === 'way') return placeIn(REAP_WAYS, written);
  if (kind === 'restore') return placeIn(RESTORE_MODES, written);
  return kind === 'bytes' ? parseBytes(written) : null;
}

function placeIn(words: readonly string[], written: string): number | null {
  const at = words.indexOf(written);
  return at < 0 ? null : at;
}

function parsePatterns(setting: Bounded, written: unknown): Parsed {
  if (!Array.isArray(written)) return refuse(setting, 'is not a list');
  if (written.length > setting.max) return refuse(setting, `has more than ${setting.max} patterns`);
  for (const pattern of written) {
    if (typeof pattern !== 'string') return refuse(setting, 'holds something that is not a string');
    if (pattern === '') return refuse(setting, 'holds an empty pattern, which no session can match');
    if (pattern.length > LONGEST_PATTERN) {
      return refuse(setting, `holds a pattern of more than ${LONGEST_PATTERN} characters`);
    }
  }
  return { isValid: true, value: Object.freeze([...new Set<string>(written)]) };
}

const WRITTEN_AS: Readonly<Record<Kind, string>> = {
  duration: 'a duration such as "90s", "45m", "6h" or "2d" (units ms, s, m, h, d)',
  count: 'a whole number',
  percent: 'a number',
  bytes: 'a size such as "256KiB" or "1MiB" (units B, KiB, MiB, GiB)',
  switch: '"on" or "off"',
  tier: '"moderate" or "critical"',
  settle: '"on", "shadow" or "off"',
  way: '"close" or "hibernate"',
  restore: '"ask", "asleep" or "off"',
  patterns: 'a list of name patterns such as ["crew-*", "main"]',
};

function wrongKind(kind: Kind, written: unknown): string {
  if (kind === 'duration' && typeof written === 'string' && /^\s*\d+\s*$/.test(written)) return 'has no unit';
  return `is not ${WRITTEN_AS[kind].split(' such as ')[0]}`;
}

const ONE_WORD: ReadonlySet<Kind> = new Set(['switch', 'tier', 'settle', 'way', 'restore']);

function isOneWord(kind: Kind): boolean {
  return ONE_WORD.has(kind);
}

function refuse(setting: Bounded, text: string, written?: unknown): Parsed {
  const isBareNumber = typeof written === 'number' && setting.kind === 'duration';
  const between = `between ${formatValue(setting.kind, setting.min)} and ${formatValue(setting.kind, setting.max)}`;
  const hint =
    setting.kind === 'patterns' || isOneWord(setting.kind)
      ? `write ${WRITTEN_AS[setting.kind]}`
      : `write ${WRITTEN_AS[setting.kind]}, ${between}${isBareNumber ? '; a number without a unit is milliseconds' : ''}`;
  return { isValid: false, text, hint };
}
