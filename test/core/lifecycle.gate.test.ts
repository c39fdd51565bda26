import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideClose } from '../../src/core/close/decide.ts';
import type { DeclaredGate } from '../../src/core/verdict/declared.ts';
import type { Evidence } from '../../src/core/verdict/evidence.ts';
import type { Lifecycle } from '../../src/core/verdict/verdict.ts';
import {
  client,
  deadPane,
  exitedAgent,
  HOUR,
  idleAgent,
  MINUTE,
  NOW,
  note,
  pane,
  people,
  plainShell,
  processes,
  shell,
  standing,
  unavailable,
  withPieces,
  word,
} from '../support/evidence.ts';
import { gate as anyGate, evidence } from './arbitrary-evidence.ts';
import { entry } from './close/entry.ts';
import { verdictOn } from './judged.ts';

const work = (over: Partial<DeclaredGate> = {}): DeclaredGate => ({
  ...{ at: NOW.at - HOUR, id: 'g-1', task: 'fix it', expiresAt: NOW.at + HOUR },
  ...{ missing: [], stale: null },
  ...over,
});
const MISSING = { missing: ['npm test exits 0: it ended with status 1', 'the work tree is clean: 2 files'] };
const LET_GO = {
  ...MISSING,
  stale: { at: NOW.at - 5 * MINUTE, code: 'budget-spent', text: 'it was kept going 3 times; missing: tests' },
};
const done = { completion: { at: NOW.at - MINUTE, outcome: 'done', evidence: null, blockers: [] } };
const wish = { retained: { at: NOW.at - HOUR, until: NOW.at + HOUR, reason: null } };

/** Evidence of a session in which this work was begun. */
function owning(list: Evidence[], gates: readonly DeclaredGate[] = [work()], over = {}): Evidence[] {
  return withPieces(list, standing({ gates, ...over }));
}

function verdict(list: Evidence[]) {
  const { activity, lifecycle, reasons, blockers, protections, retainedUntil } = verdictOn(list);
  return {
    ...{ activity, lifecycle, code: reasons[0]?.code, text: reasons[0]?.text, retainedUntil },
    contract: blockers.filter(({ code }) => code === 'contract').map(({ text }) => text),
    protections: protections.map(({ code }) => code),
  };
}

describe('a session whose work is not finished', () => {
  it('is active while it is idle, though it would be safe to close without that', () => {
    expect(verdict(idleAgent()).lifecycle).toBe('safe-to-close');
    expect(verdict(owning(idleAgent()))).toMatchObject({
      ...{ activity: 'idle', lifecycle: 'active', code: 'work-unfinished' },
      ...{ text: 'its work is not finished (fix it)', contract: ['its work is not finished (fix it)'] },
    });
  });

  it('says what is missing, as its last stop told', () => {
    expect(verdict(owning(idleAgent(), [work({ ...MISSING, task: null })]))).toMatchObject({
      text: `its work is not finished: ${MISSING.missing.join('; ')}`,
      contract: MISSING.missing,
    });
  });

  it('is stale once the gate has let it go', () => {
    expect(verdict(owning(idleAgent(), [work(LET_GO)]))).toMatchObject({
      ...{ lifecycle: 'stale', code: 'gate-unmet', contract: MISSING.missing },
      text: 'its owner was let go 5 min ago with work unfinished: it was kept going 3 times; missing: tests',
    });
  });

  it.each<[string, Evidence[]]>([
    ['its agent has exited', exitedAgent()],
    ['its agent has exited a moment ago', withPieces(exitedAgent(), pane({ lastOutputAt: NOW.at - 1000 }))],
    ['its pane is dead', deadPane()],
    ['nothing but a shell is left', plainShell()],
  ])('is stale where %s', (_, list) => {
    expect(verdict(owning(list))).toMatchObject({ lifecycle: 'stale', code: 'work-unfinished' });
  });

  it('of two pieces of work tells the one that was let go, and lacks both', () => {
    const both = [work({ id: 'g-2', task: 'write it' }), work(LET_GO)];
    expect(verdict(owning(idleAgent(), both))).toMatchObject({
      ...{ lifecycle: 'stale', code: 'gate-unmet', text: expect.stringContaining('let go 5 min ago') },
      contract: ['its work is not finished (write it)', ...MISSING.missing],
    });
  });

  it('is not complete because somebody said so: neither kept as complete nor closable after', () => {
    expect(verdict(withPieces(idleAgent(), standing(done))).lifecycle).toBe('completed-retained');
    expect(verdict(owning(idleAgent(), [work()], done))).toMatchObject({ lifecycle: 'active' });
    expect(verdict(owning(idleAgent(), [work(LET_GO)], done))).toMatchObject({ lifecycle: 'stale' });
    const long = { completion: { ...done.completion, at: NOW.at - HOUR } };
    expect(verdict(withPieces(idleAgent(), standing(long))).lifecycle).toBe('safe-to-close');
    expect(verdict(owning(idleAgent(), [work()], long)).lifecycle).toBe('active');
  });

  it('stays wanted where somebody wants to keep it: protected, until then, and not completed', () => {
    expect(verdict(owning(idleAgent(), [work()], wish))).toMatchObject({
      ...{ lifecycle: 'active', code: 'work-unfinished', retainedUntil: NOW.at + HOUR },
      protections: ['retained'],
    });
  });

  it('is as any other when its time is over', () => {
    const late = owning(idleAgent(), [work({ ...LET_GO, expiresAt: NOW.at })]);
    expect(verdict(late)).toEqual(verdict(idleAgent()));
    expect(verdict(owning(idleAgent(), [])).lifecycle).toBe('safe-to-close');
  });

  it.each<[string, Lifecycle, Evidence[]]>([
    ['works', 'active', withPieces(idleAgent(), word({ turn: 'running' }))],
    ['waits', 'active', withPieces(idleAgent(), word({ waitingFor: 'permission' }))],
    ['has a person', 'active', withPieces(idleAgent(), people({ clients: [client()] }))],
    ['is not seen', 'unknown', [...idleAgent(), unavailable('tmux')]],
    ['has a ledger that cannot be read', 'unknown', [...idleAgent(), unavailable('declared')]],
    ['runs a command', 'active', withPieces(plainShell(), processes([shell(), note()]))],
  ])('is what it is without it while it %s', (_, lifecycle, list) => {
    const { code, lifecycle: found } = verdict(owning(list, [work(LET_GO)]));
    expect([found, code]).toEqual([lifecycle, verdict(list).code]);
  });

  it('S31: is closed on a person’s word only, which notes what it lacks', () => {
    const wanted = { isForced: false, despite: [], isAutomatic: false };
    const stale = entry(owning(exitedAgent()));
    expect(decideClose(stale, { ...wanted, isAutomatic: true })).toMatchObject({ code: 'not-safe' });
    const noted = { state: 'go', waived: [{ code: 'contract', kind: 'unfinished' }] };
    expect(decideClose(stale, wanted)).toMatchObject(noted);
    const pressed = { ...wanted, isAutomatic: true, isUnderPressure: true };
    expect(decideClose(entry(owning(idleAgent())), pressed)).toMatchObject({ state: 'refused' });
  });
});

it('whatever else is known, open work is neither closable nor completed, and never turns unknown or work into anything', () => {
  let resting = 0;
  fc.assert(
    fc.property(evidence, anyGate, (list, one) => {
      const open = { ...one, expiresAt: NOW.at + HOUR };
      const plain = list.map((piece) => (piece.kind === 'standing' ? { ...piece, gates: [] } : piece));
      const owned = list.map((piece) => (piece.kind === 'standing' ? { ...piece, gates: [open] } : piece));
      const [before, after] = [verdictOn(plain), verdictOn(owned)];
      expect(after.activity).toBe(before.activity);
      const isOwned = owned.some((piece) => piece.kind === 'standing' && piece.observedAt === NOW.at);
      if (!isOwned) return;
      resting += before.lifecycle === 'safe-to-close' || before.lifecycle === 'completed-retained' ? 1 : 0;
      expect(['safe-to-close', 'completed-retained']).not.toContain(after.lifecycle);
      if (['unknown', 'closing'].includes(before.lifecycle)) expect(after.lifecycle).toBe(before.lifecycle);
      if (['working', 'waiting', 'starting'].includes(before.activity)) {
        expect(after.lifecycle).toBe(before.lifecycle);
      }
    }),
    { numRuns: 1000 },
  );
  expect(resting).toBeGreaterThan(5);
});
