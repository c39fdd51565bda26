import { describe, expect, it } from 'vitest';
import { type CloseWish, decideClose } from '../../../src/core/close/decide.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  client,
  deadPane,
  exitedAgent,
  git,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  onPane,
  pane,
  people,
  plainShell,
  sleepingAgent,
  standing,
  unavailable,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { entry } from './entry.ts';

const WISH: CloseWish = { isForced: false, despite: [], isAutomatic: false };
const FORCED = { ...WISH, isForced: true };
const codes = (items: readonly { readonly code: string }[]) => items.map(({ code }) => code);

describe('a wish to close', () => {
  it('is granted where everything is proven', () => {
    expect(decideClose(entry(idleAgent()), WISH)).toEqual({ state: 'go', waived: [] });
    expect(decideClose(entry(idleAgent()), { ...WISH, isAutomatic: true })).toEqual({
      state: 'go',
      waived: [],
    });
  });

  it('because of a completion is granted only while that makes it closable', () => {
    const wish = { ...WISH, isAutomatic: true, isByCompletion: true };
    const completion = { at: NOW.at - 20 * MINUTE, outcome: 'done', evidence: null, blockers: [] };
    const due = entry(withPieces(idleAgent(), standing({ completion })));
    expect(decideClose(due, wish)).toEqual({ state: 'go', waived: [] });
    expect(decideClose(entry(idleAgent()), wish)).toMatchObject({ state: 'refused', code: 'not-safe' });
    const strange = entry(withPieces(idleAgent(), standing({ completion, isManaged: false })));
    expect(decideClose(strange, wish)).toMatchObject({ state: 'refused', code: 'protected' });
  });

  it('stands for saved work and an orderly end, and these are named', () => {
    const dirty = entry(withPieces(idleAgent(), git({ dirtyFiles: 2 })));
    const decision = decideClose(dirty, WISH);
    expect(decision).toMatchObject({ state: 'go', waived: [{ code: 'work-saved' }] });
    expect(decideClose(dirty, { ...WISH, isAutomatic: true })).toMatchObject({ state: 'refused' });
  });

  it('waits where only time is missing', () => {
    const fresh = entry(withPieces(idleAgent(), history({ agentSeen: 'claude', quietMs: 1 })));
    expect(decideClose(fresh, WISH)).toMatchObject({
      ...{ state: 'not-yet', blockers: [{ code: 'confirmed' }], waived: [] },
    });
    const dirty = entry(withPieces(fresh.evidence, git({ dirtyFiles: 1 })));
    expect(decideClose(dirty, WISH)).toMatchObject({
      ...{ state: 'not-yet', blockers: [{ code: 'confirmed' }], waived: [{ code: 'work-saved' }] },
    });
  });

  it('is refused for work, with all that stands against it and what to do', () => {
    const busy = entry(withPieces(idleAgent(), word({ turn: 'running', text: 'busy' })));
    const decision = decideClose(busy, WISH);
    expect(decision).toMatchObject({
      state: 'refused',
      code: 'not-safe',
      hint: expect.stringContaining('--force'),
    });
    expect(decision).toMatchObject({ text: expect.stringContaining('it is active') });
    if (decision.state === 'refused') expect(codes(decision.blockers)).toContain('at-rest');
  });

  it('is refused for a draft, however old it is', () => {
    const draft = entry(withPieces(idleAgent(), word({ hasDraft: true })));
    expect(draft.lifecycle).toBe('stale');
    expect(decideClose(draft, WISH)).toMatchObject({
      ...{ state: 'refused', code: 'not-safe' },
      text: 'something may be lost: text stands in the input that was not sent',
    });
  });

  it('says what it is doing rather than what may be lost, where it is at work, not known, or nobody asked', () => {
    const both = entry(withPieces(idleAgent(), word({ turn: 'running', text: 'busy', hasDraft: true })));
    expect(codes(both.blockers)).toEqual(expect.arrayContaining(['at-rest', 'nothing-unsent']));
    expect(decideClose(both, WISH)).toMatchObject({ text: expect.stringMatching(/^it is active: /) });
    const draft = entry(withPieces(idleAgent(), word({ hasDraft: true })));
    const unknown = { ...draft, lifecycle: 'unknown' as const };
    expect(decideClose(unknown, WISH)).toMatchObject({ text: expect.stringMatching(/^it is unknown: /) });
    const automatic = decideClose(draft, { ...WISH, isAutomatic: true });
    expect(automatic).toMatchObject({ text: expect.stringMatching(/^it is stale: /) });
  });

  it('is refused for a plain terminal, which never finishes', () => {
    expect(decideClose(entry(plainShell()), WISH)).toMatchObject({ state: 'refused' });
  });

  it('is refused where nothing is known', () => {
    const unknown = entry(idleAgent(), { lifecycle: 'unknown', reasons: [] });
    expect(decideClose(unknown, WISH)).toMatchObject({ text: 'it is unknown: nothing is known of it' });
  });

  it('that is forced sets blockers aside, and names all of them', () => {
    const busy = entry(withPieces(idleAgent(), word({ turn: 'running', text: 'busy' })));
    const decision = decideClose(busy, FORCED);
    expect(decision).toEqual({ state: 'go', waived: busy.blockers });
  });
});

it('what is not known is to be explained first', () => {
  const unknown = entry(idleAgent(), { lifecycle: 'unknown' });
  expect(decideClose(unknown, WISH)).toMatchObject({
    hint: expect.stringMatching(/^rollcall explain tells/),
  });
});

describe('number 4: a person’s wish is held up only by what would be lost', () => {
  const AUTOMATIC = { ...WISH, isAutomatic: true };
  const recent = pane({ lastOutputAt: NOW.at - 1000 });
  const completion = { at: NOW.at - 1000, outcome: 'done', evidence: null, blockers: [] };
  const refused = { ...completion, blockers: [{ code: 'not-clean', text: '2 files' }] };
  const retained = { at: NOW.at - 1000, until: NOW.at + MINUTE, reason: 'to be read' };

  it.each<[string, Evidence[], string[]]>([
    ['a turn that has just ended', withPieces(idleAgent(), recent), ['rested']],
    [
      'one uncommitted file',
      withPieces(idleAgent(), recent, git({ dirtyFiles: 1 })),
      ['rested', 'work-saved'],
    ],
    ['a git that gives no answer', [...without(idleAgent(), 'git'), unavailable('git')], ['work-saved']],
    ['the retention after its completion', withPieces(idleAgent(), standing({ completion })), ['rested']],
    ['a wish to keep it', withPieces(idleAgent(), standing({ retained })), ['rested', 'retained']],
    [
      'a completion that was not accepted',
      withPieces(idleAgent(), standing({ completion: refused })),
      ['contract'],
    ],
    ['an agent that has just left', withPieces(exitedAgent(), recent), ['rested']],
    [
      'a program that ended badly',
      withPieces(deadPane(), pane({ isDead: true, exitStatus: 2 })),
      ['finished-or-resumable'],
    ],
  ])('not by %s, which is noted', (_, evidence, noted) => {
    const unfinished = entry(evidence);
    const decision = decideClose(unfinished, WISH);
    expect(decision.state === 'go' ? codes(decision.waived) : decision).toEqual(noted);
    expect(decision.state === 'go' && decision.waived.every(({ kind }) => kind === 'unfinished')).toBe(true);
    expect(decideClose(unfinished, AUTOMATIC)).toMatchObject({ state: 'refused' });
  });

  it('and who is held up otherwise is told that nothing would be lost', () => {
    const young = entry(withPieces(idleAgent(), recent));
    expect(decideClose(young, AUTOMATIC)).toMatchObject({ hint: 'nothing would be lost: close it by name' });
  });

  it.each<[string, Evidence[], string]>([
    ['a turn', withPieces(idleAgent(), recent, word({ turn: 'running' })), 'at-rest'],
    ['a draft', withPieces(idleAgent(), recent, word({ hasDraft: true })), 'nothing-unsent'],
    ['a background task', withPieces(idleAgent(), recent, word({ background: 1 })), 'at-rest'],
    ['an open dialog', withPieces(idleAgent(), recent, word({ waitingFor: 'question' })), 'at-rest'],
    ['a person', withPieces(idleAgent(), recent, people({ clients: [client()] })), 'nobody-there'],
    [
      'an agent that cannot be resumed',
      withPieces(idleAgent(), recent, named({ resume: [] })),
      'finished-or-resumable',
    ],
    ['a plain terminal', withPieces(plainShell(), recent), 'at-rest'],
    ['a sensor that fails', [...withPieces(idleAgent(), recent), unavailable('process')], 'seen-now'],
  ])('but by %s', (_, evidence, code) => {
    const found = entry(evidence);
    const despite = ['attached', 'recent-input'];
    expect(decideClose(found, { ...WISH, despite })).toMatchObject({ state: 'refused', code: 'not-safe' });
    expect(codes(found.blockers.filter(({ kind }) => kind === 'would-lose'))).toContain(code);
  });

  it('while nothing automatic sets aside that it is kept, proven as it may be', () => {
    const proven = entry(idleAgent(), { protections: [{ code: 'retained', text: 'kept' }] });
    expect(proven.lifecycle).toBe('safe-to-close');
    expect(decideClose(proven, AUTOMATIC)).toMatchObject({ code: 'protected', hint: 'close it by name' });
    expect(decideClose(proven, WISH)).toMatchObject({ state: 'go', waived: [{ code: 'retained' }] });
  });

  it('also where it is forced: to keep it needs no word of its own', () => {
    const kept = entry(withPieces(idleAgent(), standing({ retained }), word({ hasDraft: true })));
    const decision = decideClose(kept, FORCED);
    expect(decision.state === 'go' ? codes(decision.waived) : decision).toEqual([
      ...['rested', 'nothing-unsent', 'retained'],
    ]);
    const named = decideClose(kept, { ...FORCED, despite: ['retained'] });
    expect(named).toEqual({ state: 'go', waived: kept.blockers });
  });
});

describe('protections', () => {
  const watched = entry(
    withPieces(idleAgent(), people({ clients: [client({ lastInputAt: NOW.at - MINUTE })] })),
  );

  it('win over force, and go only by their names', () => {
    const decision = decideClose(watched, FORCED);
    expect(decision).toMatchObject({
      code: 'protected',
      hint: '--despite attached,recent-input sets that aside',
    });
    expect(decideClose(watched, { ...FORCED, despite: ['attached'] })).toMatchObject({ code: 'protected' });
    expect(decideClose(watched, { ...FORCED, despite: ['attached', 'recent-input'] })).toMatchObject({
      state: 'go',
    });
  });

  it('speak of no force where an agent is to sleep: there is none', () => {
    const sleep = { ...WISH, isToSleep: true };
    const turn = withPieces(idleAgent(), word({ turn: 'running', text: 'busy' }));
    const hints = (...wishes: CloseWish[]) =>
      wishes.flatMap((wish) =>
        [entry(turn), entry([...idleAgent(), unavailable('process')])].map((one) => {
          const decision = decideClose(one, wish);
          return 'hint' in decision ? decision.hint : decision.state;
        }),
      );
    expect(hints(sleep)).toEqual(['wait for it', 'rollcall explain tells what is not known']);
    expect(hints(WISH).every((hint) => hint.includes('--force'))).toBe(true);
    const watching = entry([...without(turn, 'people'), people({ clients: [client({})] })]);
    expect(decideClose(watching, { ...sleep, despite: ['recent-input'] })).toMatchObject({
      hint: '--despite attached sets that aside',
    });
    const idle = entry(idleAgent(), { lifecycle: 'active', blockers: [] });
    expect(decideClose(idle, { ...sleep, isAutomatic: true })).toMatchObject({
      hint: 'nothing would be lost: put it to sleep by name',
    });
  });

  it('a plain terminal is not waited for: it never finishes', () => {
    const busy = entry(withPieces(idleAgent(), word({ turn: 'running', text: 'busy' })));
    const terminal = Object.assign(busy, { activity: 'none' as const });
    const hint = '--force closes it all the same, and what is listed as blocked may be lost';
    expect(decideClose(terminal, WISH)).toMatchObject({ hint });
    expect(decideClose(terminal, { ...WISH, isToSleep: true })).toMatchObject({
      hint: 'only an agent can sleep',
    });
  });

  it('say where force is needed as well', () => {
    const busy = entry(
      withPieces(idleAgent(), word({ turn: 'running', text: 'busy' }), people({ clients: [client({})] })),
    );
    const hint = '--despite attached sets that aside; what is blocked needs --force as well';
    expect(decideClose(busy, { ...WISH, despite: ['recent-input'] })).toMatchObject({
      code: 'protected',
      hint,
    });
    const safe = entry(idleAgent(), {
      protections: [{ code: 'held', text: 'held' }],
      lifecycle: 'safe-to-close',
    });
    expect(decideClose(safe, WISH)).toMatchObject({ hint: '--despite held sets that aside' });
    expect(decideClose({ ...safe, lifecycle: 'active', blockers: [] }, WISH)).toMatchObject({
      hint: '--despite held sets that aside',
    });
    expect(decideClose({ ...safe, lifecycle: 'stale' }, WISH)).toMatchObject({
      hint: '--despite held sets that aside',
    });
  });

  it('do not stand for blockers', () => {
    const decision = decideClose(watched, { ...WISH, despite: ['attached', 'recent-input'] });
    expect(decision).toMatchObject({ state: 'refused', code: 'not-safe' });
  });

  it('S42: the own session is never closed', () => {
    const own = entry(withPieces(idleAgent(), standing({ isOwnSession: true })));
    expect(decideClose(own, { ...FORCED, despite: ['own-session'] })).toMatchObject({ code: 'own-session' });
  });

  it('a session that is nobody’s care is closed by name only', () => {
    const strange = entry(withPieces(idleAgent(), standing({ isManaged: false })));
    expect(decideClose(strange, WISH)).toMatchObject({ state: 'go' });
    expect(decideClose(strange, { ...WISH, isAutomatic: true })).toMatchObject({
      code: 'protected',
      hint: 'close it by name',
    });
  });
});

describe('what is beyond a wish', () => {
  it('a lost session has nothing to close', () => {
    expect(decideClose(entry([], { lifecycle: 'lost' }), WISH)).toEqual({ state: 'gone' });
  });

  it('one that is being closed is left to whoever does it', () => {
    expect(decideClose(entry(idleAgent(), { lifecycle: 'closing' }), FORCED)).toMatchObject({
      code: 'already-closing',
    });
  });

  it('S32: one that cannot be seen is not touched, forced or not', () => {
    expect(decideClose(entry([pane()], { panes: [] }), FORCED)).toMatchObject({ code: 'unseen' });
  });
});

describe('a wish under pressure', () => {
  const PRESSED: CloseWish = { ...WISH, isAutomatic: true, isUnderPressure: true };
  const recent = withPieces(idleAgent(), pane({ lastOutputAt: NOW.at - 30 * MINUTE }));

  it('stands for rest and for work that stays on the disk, and these are named', () => {
    const waived = (decision: ReturnType<typeof decideClose>) =>
      decision.state === 'go' ? codes(decision.waived) : decision.state;
    expect(waived(decideClose(entry(recent), PRESSED))).toEqual(['rested']);
    const dirty = entry(withPieces(recent, git({ dirtyFiles: 2 })));
    expect(waived(decideClose(dirty, PRESSED))).toEqual(['rested', 'work-saved']);
    const stale = entry(withPieces(idleAgent(), git({ dirtyFiles: 2 })));
    expect(stale.lifecycle).toBe('stale');
    expect(waived(decideClose(stale, PRESSED))).toEqual(['work-saved']);
  });

  it('is nothing without both words', () => {
    const { isUnderPressure: _, ...automatic } = PRESSED;
    expect(decideClose(entry(recent), automatic)).toMatchObject({ code: 'not-safe' });
    const asked = decideClose(entry(withPieces(recent, word({ hasDraft: true }))), {
      ...{ ...PRESSED, isAutomatic: false },
    });
    expect(asked).toMatchObject({ code: 'not-safe' });
  });

  it.each([
    ['a draft', word({ hasDraft: true })],
    ['a turn', word({ turn: 'running' })],
    ['a dialog', word({ waitingFor: 'question' })],
    ['something in the background', word({ background: 1 })],
    ['a folder that cannot be seen', git({}, { unseen: 'it is elsewhere' })],
    ['an unconfirmed rest', history({ agentSeen: 'claude', quietMs: 1 })],
    ['no way to resume it', named({ resume: [] })],
    ['a person', people({ clients: [client()] })],
    ['a hold', standing({ held: { at: 1, reason: null } })],
    ['nobody’s care', standing({ isManaged: false })],
  ])('does not stand for %s', (_, piece) => {
    const decision = decideClose(entry(withPieces(recent, piece)), PRESSED);
    expect(decision.state).toBe('refused');
  });

  it('does not stand for something beside the agent that nobody can bring back', () => {
    const beside = onPane('%2', deadPane()).filter((piece) => 'paneId' in piece);
    const both = entry([...recent, ...beside]);
    expect(codes(both.blockers)).toEqual(['rested']);
    expect(decideClose(both, PRESSED).state).toBe('refused');
  });

  it('does not stand for an agent that sleeps beside it', () => {
    // Also where somebody can tell how it is resumed.
    const beside = onPane('%2', [...sleepingAgent(), named()]).filter((piece) => 'paneId' in piece);
    const both = entry([...recent, ...beside]);
    expect([both.activity, codes(both.blockers)]).toEqual(['idle', ['rested']]);
    expect(decideClose(both, PRESSED).state).toBe('refused');
  });

  it('does not stand for the proof of what a dead agent left, nor for doubt', () => {
    const left = entry([...withPieces(exitedAgent(), git({ dirtyFiles: 1 })), named()]);
    expect([left.activity, codes(left.blockers)]).toEqual(['exited', ['work-saved']]);
    expect(decideClose(left, PRESSED).state).toBe('refused');
    expect(decideClose(entry(recent, { lifecycle: 'unknown' }), PRESSED).state).toBe('refused');
  });
});
