import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytes as bytesKind,
  count as countKind,
  duration as durationKind,
  formatBytes,
  parseBytes,
  percent as percentKind,
} from '../../src/config/measure-kinds.ts';
import { formatValue, parseValue } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings-table.ts';
import { onOff, patterns as patternsKind } from '../../src/config/word-kinds.ts';
import { formatDuration, parseDuration } from '../../src/core/text/duration.ts';

const duration = durationKind('1m', '1h');
const count = countKind(1, 32);
const percent = percentKind(1, 100);
const bytes = bytesKind('1KiB', '1GiB');
const patterns = patternsKind(3);

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['45m', 2_700_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
    [' 3s ', 3000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '',
    '45',
    'm',
    '-5m',
    '5 minutes',
    '5M',
    '1h30m',
    '1e3s',
    '٣m',
    'Infinitys',
    '5m\n6m',
    `${'9'.repeat(400)}s`,
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it('is written so that it reads back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 * 86_400_000 }),
        (ms) => parseDuration(formatDuration(ms)) === ms,
      ),
    );
    expect([0, 500, 1500, 60_000, 5_400_000, 86_400_000].map(formatDuration)).toEqual([
      '0s',
      '500ms',
      '1500ms',
      '1m',
      '90m',
      '1d',
    ]);
  });
});

describe('a size', () => {
  it.each([
    ['1B', 1],
    ['256KiB', 262_144],
    ['1.5 MiB', 1_572_864],
    ['1GiB', 1_073_741_824],
  ])('%s is %d bytes', (text, size) => {
    expect(parseBytes(text)).toBe(size);
  });

  it.each(['', '256', '256KB', '256k', '-1KiB', 'KiB', '1TiB'])('%j is none', (text) => {
    expect(parseBytes(text)).toBeNull();
  });

  it('is written so that it reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (size) => parseBytes(formatBytes(size)) === size),
    );
  });
});

describe('a value', () => {
  it.each([
    [duration, '1m', 60_000],
    [duration, '1h', 3_600_000],
    [duration, 90_000, 90_000],
    [count, 32, 32],
    [percent, 12.5, 12.5],
    [bytes, '1MiB', 1_048_576],
    [bytes, 2048, 2048],
    [onOff, 'on', true],
    [onOff, 'off', false],
    [onOff, true, true],
    [onOff, 0, false],
    [patterns, [], []],
    [patterns, ['a*', 'b', 'a*'], ['a*', 'b']],
  ])('of %j may be %j', (setting, written, value) => {
    expect(parseValue(setting, written)).toEqual({ isValid: true, value });
  });

  it.each([
    [duration, '59s', 'is below 1m'],
    [duration, '2h', 'is above 1h'],
    [duration, '45', 'has no unit'],
    [duration, 'soon', 'is not a duration'],
    [duration, null, 'is not a duration'],
    [duration, true, 'is not a duration'],
    [duration, ['45m'], 'is not a duration'],
    [duration, 90_000.5, 'is not a duration'],
    [count, 0, 'is below 1'],
    [count, 33, 'is above 32'],
    [count, 2.5, 'is not a whole number'],
    [count, '4', 'is not a whole number'],
    [percent, 101, 'is above 100'],
    [percent, '25%', 'is not a number'],
    [bytes, '1KB', 'is not a size'],
    [bytes, 5, 'is below 1KiB'],
    [onOff, 'yes', 'is not "on" or "off"'],
    [onOff, 2, 'is above on'],
    [patterns, 'crew-*', 'is not a list'],
    [patterns, { a: 1 }, 'is not a list'],
    [patterns, ['a', 5], 'holds something that is not a string'],
    [patterns, [''], 'holds an empty pattern, which no session can match'],
    [patterns, ['a', 'b', 'c', 'd'], 'has more than 3 patterns'],
    [patterns, ['x'.repeat(257)], 'holds a pattern of more than 256 characters'],
    [patterns, [1, 2, 3, 4], 'has more than 3 patterns'],
  ])('of %j may not be %j', (setting, written, text) => {
    expect(parseValue(setting, written)).toMatchObject({ isValid: false, text });
  });

  it('that is refused comes with the bounds and an example', () => {
    expect(parseValue(duration, '5s')).toMatchObject({
      hint: 'write a duration such as "90s", "45m", "6h" or "2d" (units ms, s, m, h, d), between 1m and 1h',
    });
  });

  it('that is a bare number in place of a duration is told to be milliseconds', () => {
    expect(parseValue(duration, 45)).toMatchObject({
      text: 'is below 1m',
      hint: expect.stringContaining('a number without a unit is milliseconds'),
    });
  });
});

it('reads a kind of pressure by its name', () => {
  const tier = SETTINGS['reaper.longIdleFrom'].about;
  expect(parseValue(tier, 'critical')).toEqual({ isValid: true, value: 'critical' });
  expect(parseValue(tier, 0)).toEqual({ isValid: true, value: 'moderate' });
  expect(formatValue(tier, 'moderate')).toBe('moderate');
  for (const bad of ['normal', 'bad', true, 7]) {
    expect(parseValue(tier, bad)).toMatchObject({ isValid: false, hint: 'write "moderate" or "critical"' });
  }
});

it('reads a mode of settling by its name', () => {
  const settle = SETTINGS['daemon.settle'].about;
  const words = ['off', 'shadow', 'on'];
  expect(words.map((word) => parseValue(settle, word))).toEqual(
    words.map((value) => ({ isValid: true, value })),
  );
  expect(parseValue(settle, -1)).toMatchObject({ isValid: false, text: 'is below off' });
  for (const bad of ['enforce', true, 7]) {
    expect(parseValue(settle, bad)).toMatchObject({ isValid: false, hint: 'write "on", "shadow" or "off"' });
  }
});
