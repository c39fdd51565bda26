import { describe, expect, it } from 'vitest';
import { lanesFor } from '../../accuracy/lanes.ts';
import { parseOptions } from '../../accuracy/options.ts';

function parsed(...argv: string[]) {
  const options = parseOptions(argv);
  if (typeof options === 'string') throw new Error(options);
  return options;
}

describe('the command line of the accuracy run', () => {
  it('plays every agent with and without hooks unless told otherwise, and only then writes the page in docs', () => {
    expect(parsed()).toMatchObject({ hooks: [false, true], states: null, isWhole: true });
    expect(lanesFor(parsed())).toHaveLength(18);
    expect(parsed('--agents', 'claude')).toMatchObject({ agents: ['claude'], isWhole: false });
    expect(parsed('--hooks', 'with')).toMatchObject({ hooks: [true], isWhole: false });
  });

  it('plays only the lanes that have something to play', () => {
    const lanes = lanesFor(parsed('--states', 'pair', '--hooks', 'without'));
    expect(lanes.map(({ name }) => name)).toEqual(['codex-daemon']);
    expect(lanes[0]).toMatchObject({ isPair: true, scenes: [], exits: [], hasTrust: false });
  });

  it('gives two lanes with a port two ports, since they share one loopback', () => {
    const ports = lanesFor(parsed('--agents', 'opencode')).flatMap(({ variant }) => variant.port ?? []);
    expect(new Set(ports).size).toBe(2);
  });

  it('writes the page about the gate only after all of its scenes', () => {
    expect(parsed('--gate')).toMatchObject({ isGate: true, scenes: null, isWhole: true });
    expect(parsed('--gate', '--scenes', 'shadow,switch')).toMatchObject({
      ...{ scenes: ['shadow', 'switch'], isWhole: false },
    });
  });

  it.each([
    [['--agents', 'cloud'], 'unknown agent cloud'],
    [['--states', 'dreaming'], 'unknown state dreaming'],
    [['--hooks', 'maybe'], '--hooks takes with, without or both'],
    [['--fast'], 'unknown argument --fast'],
    [['--life', '--doctor'], '--life and --doctor are two runs'],
    [['--gate', '--doctor', '--life'], '--life and --doctor and --gate are three runs'],
    [['--scenes', 'shadow'], '--scenes belongs to --gate and --life'],
  ])('refuses %j', (argv, text) => {
    expect(parseOptions(argv)).toBe(text);
  });
});
