import { describe, expect, it } from 'vitest';
import { lineageOf } from '../../../src/core/sight/lineage.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { agent, note, shell } from '../../support/evidence.ts';
import { cpuTimeMs } from '../cpu-time.ts';

const root = shell();
const vim = note({ pid: 201, program: 'vim', role: 'interactive' });
const claude = agent();
const child = (of: ProcessNote, over: Partial<ProcessNote> = {}) =>
  note({ pid: 500, parentPid: of.pid, ...over });

describe('lineage', () => {
  it.each<[string, ProcessNote, boolean, boolean]>([
    ['an agent', claude, true, true],
    ['an editor', vim, true, false],
    ['an ssh', note({ pid: 202, role: 'remote' }), true, false],
    ['a shell', root, false, false],
    ['a command', note({ pid: 203 }), false, false],
  ])(
    'S27: what runs under %s is hosted, or under an agent, or neither',
    (_, host, isHosted, isUnderAgent) => {
      const grandchild = note({ pid: 501, parentPid: 500 });
      const lineage = lineageOf([root, host, child(host), grandchild]);
      expect(lineage.isHosted(host)).toBe(false);
      for (const below of [grandchild]) {
        expect(lineage.isHosted(below)).toBe(isHosted);
        expect(lineage.isUnderAgent(below)).toBe(isUnderAgent);
      }
    },
  );

  it.each<[string, ProcessNote, boolean]>([
    ['a shell over an agent', shell({ pid: 400 }), true],
    ['a launcher script over an agent', note({ pid: 400 }), true],
    ['a wrapper over an agent', note({ pid: 400, role: 'wrapper' }), true],
    ['an editor over an agent, which holds text of its own', { ...vim, pid: 400 }, false],
    ['another agent over an agent', agent({ pid: 400 }), false],
    ['a container over an agent', note({ pid: 400, role: 'remote' }), false],
  ])('S22: %s is transparent: %#', (_, above, isTransparent) => {
    const notes = [root, above, agent({ parentPid: above.pid })];
    expect(lineageOf(notes).isTransparent(above)).toBe(isTransparent);
  });

  it('S22: a wrapper carries whatever child it has inside the tree, and is itself the command without one', () => {
    const sudo = note({ pid: 400, role: 'wrapper' });
    expect(lineageOf([root, sudo]).isTransparent(sudo)).toBe(false);
    expect(lineageOf([root, sudo, child(sudo)]).isTransparent(sudo)).toBe(true);
    expect(lineageOf([root, sudo, child(sudo, { relation: 'outside' })]).isTransparent(sudo)).toBe(false);
    expect(lineageOf([root, note(), child(note())]).isTransparent(note())).toBe(false);
  });

  it('knows what is above and below a process', () => {
    const notes = [root, claude, child(claude)];
    expect([...lineageOf(notes).below([root])]).toEqual([claude, child(claude)]);
    expect([...lineageOf(notes).above([notes[2] as ProcessNote])]).toEqual([claude, root]);
    expect([...lineageOf(notes).below([])]).toEqual([]);
  });

  it('ends on a garbled table in which processes are their own ancestors', () => {
    const self = agent({ pid: 1, parentPid: 1 });
    expect(lineageOf([self]).isUnderAgent(self)).toBe(false);
    const [a, b] = [agent({ pid: 1, parentPid: 2 }), note({ pid: 2, parentPid: 1 })];
    expect(lineageOf([a, b]).isUnderAgent(b)).toBe(true);
  });

  it('S57: a chain of twenty thousand forks costs little', () => {
    const chain = Array.from({ length: 20_000 }, (_, pid) =>
      note({ pid, parentPid: pid - 1, role: pid % 2 ? 'agent' : 'command' }),
    );
    expect(cpuTimeMs(() => lineageOf(chain))).toBeLessThan(1000);
  });
});
