import { describe, expect, it } from 'vitest';
import { classify } from '../../src/core/verdict/classify.ts';
import type { Completion, Declared } from '../../src/core/verdict/declared.ts';
import type { Evidence } from '../../src/core/verdict/evidence.ts';
import type { RolePolicy } from '../../src/core/verdict/policy.ts';
import {
  client,
  clock,
  DAY,
  deadPane,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  note,
  onPane,
  POLICY,
  pane,
  people,
  plainShell,
  processes,
  screen,
  shell,
  spoken,
  standing,
  unavailable,
  without,
  withPieces,
  word,
} from '../support/evidence.ts';

const done = (agoMs: number, over: Partial<Completion> = {}): Declared => ({
  completion: {
    ...{ at: NOW.at - agoMs, outcome: 'done', evidence: null, blockers: [], speaksFor: [spoken()] },
    ...over,
  },
});
const wish = (leftMs: number | null, reason: string | null = 'review'): Declared => ({
  retained: { at: NOW.at - HOUR, until: leftMs === null ? null : NOW.at + leftMs, reason },
});
const lacking = { blockers: [{ code: 'clean', text: '2 uncommitted files' }] };

/** The evidence with this declared, on a session that last wrote something `restMs` ago. */
function declared(evidence: Evidence[], over: Declared & object, restMs = HOUR): Evidence[] {
  const last = { lastOutputAt: NOW.at - restMs };
  return withPieces(evidence, standing(over)).map((one) => (one.kind === 'pane' ? { ...one, ...last } : one));
}

function verdict(evidence: Evidence[], role: Partial<RolePolicy> = {}) {
  const policy = { ...POLICY, defaultRole: { ...POLICY.defaultRole, ...role } };
  const { lifecycle, retainedUntil, reasons, blockers } = classify(evidence, NOW, policy);
  return {
    lifecycle,
    code: reasons[0]?.code,
    text: reasons[0]?.text,
    keptMs: retainedUntil === null ? null : retainedUntil - NOW.at,
    blockers: blockers.map((one) => one.code),
    codes: reasons.map((one) => one.code),
  };
}

describe('work that was declared complete', () => {
  it('is kept for a while once its turn is over, with the time and the reason', () => {
    const kept = verdict(declared(idleAgent(), done(4 * MINUTE, { evidence: 'pr 7' }), 5 * MINUTE));
    expect(kept).toMatchObject({
      lifecycle: 'completed-retained',
      code: 'declared-complete',
      text: 'declared complete 4 min ago: pr 7',
      keptMs: 6 * MINUTE,
      blockers: ['rested'],
    });
  });

  it('is kept for that time also where it had rested long enough before: a promise is not shortened', () => {
    expect(verdict(idleAgent()).lifecycle).toBe('safe-to-close');
    expect(verdict(declared(idleAgent(), done(MINUTE), HOUR))).toMatchObject({
      lifecycle: 'completed-retained',
      keptMs: 9 * MINUTE,
    });
  });

  it('may go after that, though it rested for less than others have to', () => {
    expect(verdict(declared(idleAgent(), {}, 11 * MINUTE)).lifecycle).toBe('active');
    expect(verdict(declared(idleAgent(), done(11 * MINUTE), 11 * MINUTE))).toMatchObject({
      lifecycle: 'safe-to-close',
      code: 'completed',
      text: 'declared complete 11 min ago; nothing would be lost',
      keptMs: null,
      blockers: [],
    });
  });

  it('S30: the turn in which it was said defers the end: it counts from the end of that turn', () => {
    const later = declared(idleAgent(), done(2 * HOUR), 3 * MINUTE);
    expect(verdict(later)).toMatchObject({ lifecycle: 'completed-retained', keptMs: 7 * MINUTE });
    const working = declared(withPieces(idleAgent(), word({ turn: 'running' })), done(2 * HOUR), 3 * MINUTE);
    expect(verdict(working)).toMatchObject({
      lifecycle: 'active',
      code: 'completion-deferred',
      text: 'declared complete 2 h ago; it may be closed 10 min after this turn',
      keptMs: null,
    });
  });

  it('S30: a turn that began after it ends it: it is judged as if nothing had been declared', () => {
    const again = word({ since: NOW.at - 3 * MINUTE });
    const said = done(2 * HOUR, { speaksFor: [spoken({ at: NOW.at - 2 * HOUR, isAtRest: true })] });
    const later = verdict(declared(withPieces(idleAgent(), again), said, 3 * MINUTE));
    expect(later).toMatchObject({ lifecycle: 'active', keptMs: null, blockers: ['rested'] });
    expect(later.codes).toContain('completion-over');
    const working = withPieces(idleAgent(), word({ turn: 'running' }));
    const now = verdict(declared(working, said, 3 * MINUTE));
    expect(now.codes).not.toContain('completion-deferred');
    expect(now.codes).toContain('completion-over');
  });

  it('S45: one pane that it was not said of keeps all of the session', () => {
    const added = onPane(
      '%2',
      idleAgent().filter((one) => 'paneId' in one),
    );
    const both = declared([...idleAgent(), ...added], done(11 * MINUTE), 11 * MINUTE);
    expect(verdict(both)).toMatchObject({ lifecycle: 'active', blockers: ['rested'] });
    const { reasons } = classify(both, NOW, POLICY);
    expect(reasons.at(-1)?.text).toBe(
      'declared complete 11 min ago, which does not speak for it now: %2: it was not said of this pane; declare it again',
    );
  });

  it('S30: what it promises does not tremble with the clocks', () => {
    const trembling = [0, 1, 400].map((ms) =>
      verdict(
        withPieces(
          declared(idleAgent(), done(HOUR), 0),
          pane({ lastOutputAt: NOW.at - 60_500 + ms, isFullScreen: true }),
        ),
      ),
    );
    expect(new Set(trembling.map((one) => one.keptMs))).toEqual(new Set([9 * MINUTE]));
  });

  it('S26: rest that nobody saw, because the machine slept, is no retention', () => {
    const said = done(9 * HOUR, { awakeMs: NOW.awakeMs - 3 * MINUTE });
    const slept = declared(idleAgent(), said, 9 * HOUR).map((one) =>
      one.kind === 'clock' ? { ...one, suspendedMs: 12 * HOUR } : one,
    );
    const awake = withPieces(slept, history({ quietMs: 2 * MINUTE, agentSeen: 'claude' }));
    expect(verdict(awake)).toMatchObject({ lifecycle: 'completed-retained', keptMs: 8 * MINUTE });
  });

  it('S26: a step of the clock does not end what it promised', () => {
    const stepped = withPieces(
      declared(idleAgent(), done(DAY, { awakeMs: NOW.awakeMs - MINUTE }), DAY),
      clock({ steppedMs: DAY }),
      history({ quietMs: HOUR, agentSeen: 'claude' }),
    );
    expect(verdict(stepped)).toMatchObject({ lifecycle: 'completed-retained', keptMs: 9 * MINUTE });
  });

  it('S26: what an earlier version recorded without the awake clock is cut by what is unreal', () => {
    const stepped = withPieces(
      declared(idleAgent(), done(DAY), DAY),
      clock({ steppedMs: DAY - 2 * MINUTE }),
      history({ quietMs: HOUR, agentSeen: 'claude' }),
    );
    expect(verdict(stepped)).toMatchObject({ lifecycle: 'completed-retained', keptMs: 8 * MINUTE });
  });

  it.each<[string, Evidence[]]>([
    ['waits for someone', withPieces(idleAgent(), word({ waitingFor: 'permission' }))],
    ['starts', withPieces(idleAgent(), word({ turn: 'running' }))],
  ])('stays active while it %s', (_, evidence) => {
    expect(verdict(declared(evidence, done(HOUR)))).toMatchObject({
      lifecycle: 'active',
      code: 'completion-deferred',
    });
  });

  it('stays active while a person is attached', () => {
    const attached = withPieces(idleAgent(), people({ clients: [client()] }));
    expect(verdict(declared(attached, done(HOUR)))).toMatchObject({ code: 'person-attached' });
  });

  it('S12: is not over while something runs in the background', () => {
    const busy = withPieces(idleAgent(), word({ background: 1 }));
    expect(verdict(declared(busy, done(HOUR)))).toMatchObject({ lifecycle: 'active' });
  });

  it.each<[string, Evidence, string]>([
    ['S31: uncommitted files', git({ dirtyFiles: 2 }), 'work-saved'],
    ['S31: unpushed commits', git({ unpushedCommits: 1 }), 'work-saved'],
    ['S31: stashes', git({ stashes: 1 }), 'work-saved'],
    ['S16: a draft', word({ hasDraft: true }), 'nothing-unsent'],
    ['one look only', history({ observations: 1, agentSeen: 'claude' }), 'confirmed'],
    ['somebody who was there a moment ago', people({ awayMs: 1000 }), 'nobody-there'],
    ['a window of another session', pane({ isWindowShared: true, isFullScreen: true }), 'windows-own'],
  ])('is never closable with %s, neither before nor after its time', (_, piece, code) => {
    const evidence = withPieces(idleAgent(), piece);
    const during = verdict(declared(evidence, done(MINUTE), 2 * MINUTE));
    expect(during).toMatchObject({ lifecycle: 'active', code: 'completion-unproven', keptMs: null });
    expect(during.blockers).toContain(code);
    const after = verdict(declared(evidence, done(20 * MINUTE), 20 * MINUTE));
    expect(after).toMatchObject({ lifecycle: 'stale', code: 'proof-incomplete', blockers: [code] });
  });

  it('says what is missing while it cannot be kept as complete yet', () => {
    const dirty = withPieces(idleAgent(), git({ dirtyFiles: 2 }));
    const gap = '2 uncommitted files on branch topic';
    expect(verdict(declared(dirty, done(MINUTE), 2 * MINUTE)).text).toBe(
      `declared complete 1 min ago; but ${gap}`,
    );
    expect(verdict(declared(dirty, done(MINUTE), HOUR))).toMatchObject({ lifecycle: 'stale', text: gap });
  });

  it('counts for a program that ended badly, and needs no way to resume', () => {
    const died = withPieces(deadPane(), pane({ isDead: true, exitStatus: 2 }));
    expect(verdict(died).lifecycle).toBe('stale');
    expect(verdict(declared(died, done(HOUR))).lifecycle).toBe('safe-to-close');
    const { resume: _, ...mute } = named();
    expect(verdict(withPieces(idleAgent(), mute)).lifecycle).toBe('stale');
    expect(verdict(declared(withPieces(idleAgent(), mute), done(HOUR))).lifecycle).toBe('safe-to-close');
  });

  describe('says while it works what will happen, and no more', () => {
    const busy = withPieces(idleAgent(), word({ turn: 'running' }));
    const told = (
      over: Parameters<typeof standing>[0] & object,
      role: Partial<RolePolicy>,
      ...more: Evidence[]
    ) => verdict(withPieces(declared(busy, { ...done(HOUR), ...over }), ...more), role).text;
    const idle = { onComplete: 'close-after-idle' } as const;
    const isSettled = { isSettled: true } as const;

    it.each<[string, string, string | undefined]>([
      ['a daemon closes it', 'it shuts down after this turn', told(isSettled, idle)],
      ['its time is over later', 'it shuts down 10 min after this turn', told(isSettled, {})],
      ['its time is none', 'it shuts down after this turn', told(isSettled, { retainForMs: 0 })],
      ['no daemon does', 'it may be closed after this turn', told({}, idle)],
      [
        'a person is there for now',
        'it shuts down after this turn',
        told(isSettled, idle, people({ clients: [client()] })),
      ],
      ['its role keeps it', 'its role keeps it', told(isSettled, { onComplete: 'keep' })],
    ])('where %s: %s', (_, words, text) => {
      expect(text).toBe(`declared complete 1 h ago; ${words}`);
    });

    it.each<[string, string | undefined]>([
      ['is held', told({ ...isSettled, held: { at: NOW.at, reason: null } }, idle)],
      ['is kept on request', told({ ...isSettled, ...wish(HOUR) }, idle)],
      ['people manage', told({ ...isSettled, protectedBy: 'crew-*' }, idle)],
      ['S60: another ledger started', told({ ...isSettled, isManaged: false }, idle)],
    ])('nothing where it %s', (_, text) => {
      expect(text).toBe('declared complete 1 h ago');
    });
  });

  describe('of a bare shell that rollcall started', () => {
    const own = { origin: { at: NOW.at, how: 'started', pane: { paneId: '%1', pid: 100 } } } as const;
    const worker = (over: Parameters<typeof done>, restMs: number, ...pieces: Evidence[]) =>
      withPieces(declared(plainShell(), { ...own, ...done(...over) }, restMs), ...pieces);

    it('is kept, and may go after its time', () => {
      expect(verdict(worker([MINUTE], 2 * MINUTE))).toMatchObject({
        ...{ lifecycle: 'completed-retained', keptMs: 9 * MINUTE, blockers: ['rested'] },
      });
      expect(verdict(worker([11 * MINUTE], 11 * MINUTE))).toMatchObject({
        ...{ lifecycle: 'safe-to-close', code: 'completed', blockers: [] },
      });
      expect(verdict(worker([1000], 1000), { onComplete: 'close-after-idle' })).toMatchObject({
        ...{ lifecycle: 'safe-to-close', code: 'completed' },
      });
    });

    it.each<[string, Evidence, string]>([
      ['a prompt that is not proven', screen({ isPromptEmpty: null }), 'nothing-unsent'],
      ['S16: something typed', screen({ isPromptEmpty: false }), 'nothing-unsent'],
      ['S31: uncommitted files', git({ dirtyFiles: 2 }), 'work-saved'],
      ['somebody who was there a moment ago', people({ awayMs: 1000 }), 'nobody-there'],
    ])('never goes with %s', (_, piece, code) => {
      const evidence = worker([20 * MINUTE], 20 * MINUTE, piece);
      expect(verdict(evidence)).toMatchObject({
        ...{ lifecycle: 'stale', code: 'proof-incomplete', blockers: [code] },
      });
    });

    it('S12: never goes while something is stopped in it', () => {
      const stopped = processes([shell(), note({ relation: 'stopped' })]);
      const { lifecycle, blockers } = verdict(worker([20 * MINUTE], 20 * MINUTE, stopped));
      expect([lifecycle, blockers]).toEqual([
        'active',
        expect.arrayContaining(['at-rest', 'nothing-running', 'finished-or-resumable']),
      ]);
    });
  });

  it('never finishes a plain terminal', () => {
    expect(verdict(declared(plainShell(), done(11 * MINUTE), 11 * MINUTE))).toMatchObject({
      lifecycle: 'active',
    });
    expect(verdict(declared(plainShell(), done(HOUR)))).toMatchObject({
      lifecycle: 'stale',
      code: 'long-unused',
    });
  });

  it('S10: a command that hangs is still stale', () => {
    const hung = withPieces(
      plainShell(),
      pane({ lastOutputAt: NOW.at - 7 * HOUR }),
      processes([shell({ startedAt: NOW.at - 9 * HOUR }), note({ startedAt: NOW.at - 9 * HOUR })]),
      history({ quietMs: 7 * HOUR }),
    );
    expect(verdict(withPieces(hung, standing(done(HOUR))))).toMatchObject({
      lifecycle: 'stale',
      code: 'no-progress',
    });
  });
});

describe('by role, completed work', () => {
  it('may go as soon as it is proven idle, where it closes after idle', () => {
    const evidence = declared(idleAgent(), done(30_000), MINUTE);
    expect(verdict(evidence, { onComplete: 'close-after-idle' })).toMatchObject({
      lifecycle: 'safe-to-close',
    });
    expect(verdict(evidence, { onComplete: 'retain', retainForMs: 0 })).toMatchObject({
      lifecycle: 'safe-to-close',
    });
  });

  it('is kept for good, where it is to be kept', () => {
    const evidence = declared(idleAgent(), done(9 * HOUR), 8 * HOUR);
    expect(verdict(evidence, { onComplete: 'keep' })).toMatchObject({
      lifecycle: 'completed-retained',
      keptMs: null,
      blockers: ['rested'],
    });
    const busy = declared(withPieces(idleAgent(), word({ turn: 'running' })), done(HOUR));
    expect(verdict(busy, { onComplete: 'keep' }).text).toBe('declared complete 1 h ago; its role keeps it');
  });

  it('is kept for the time of its role', () => {
    const evidence = declared(idleAgent(), { ...done(HOUR), claims: { role: 'worker' } }, HOUR);
    const roles = new Map([['worker', { ...POLICY.defaultRole, retainForMs: 3 * HOUR }]]);
    const { lifecycle, retainedUntil } = classify(evidence, NOW, { ...POLICY, roles });
    expect([lifecycle, retainedUntil]).toEqual(['completed-retained', NOW.at + 2 * HOUR]);
  });
});

describe('a completion that does not count', () => {
  it.each(['failed', 'abandoned'])('schedules nothing when it says %s, and is shown', (outcome) => {
    const evidence = declared(idleAgent(), done(11 * MINUTE, { outcome, evidence: 'log' }), 11 * MINUTE);
    const plain = verdict(declared(idleAgent(), {}, 11 * MINUTE));
    const said = verdict(evidence);
    expect(said).toMatchObject({ lifecycle: 'active', keptMs: null, blockers: plain.blockers });
    expect(said.codes).toEqual([...plain.codes, 'declared-failed']);
    const { reasons } = classify(evidence, NOW, POLICY);
    expect(reasons.at(-1)).toMatchObject({ text: `declared ${outcome} 11 min ago: log`, source: 'declared' });
  });

  it('S29: with something missing keeps an idle session active, with what is missing as blockers', () => {
    expect(verdict(declared(idleAgent(), done(2 * HOUR, lacking), 2 * HOUR))).toMatchObject({
      lifecycle: 'active',
      code: 'completion-refused',
      text: 'declared complete 2 h ago, not accepted: 2 uncommitted files',
      blockers: ['contract'],
    });
    expect(verdict(declared(exitedAgent(), done(2 * HOUR, lacking), 2 * HOUR))).toMatchObject({
      lifecycle: 'stale',
      text: '2 uncommitted files',
      blockers: ['contract'],
    });
    const busy = withPieces(idleAgent(), word({ turn: 'running' }));
    expect(verdict(declared(busy, done(HOUR, lacking)))).toMatchObject({ code: 'completion-refused' });
  });

  it('S29: of an earlier generation is not in the evidence at all, so nothing is complete', () => {
    expect(verdict(declared(idleAgent(), {}, 11 * MINUTE))).toMatchObject({
      lifecycle: 'active',
      code: 'agent-says-idle',
    });
  });
});

describe('a session that somebody wants to keep', () => {
  it.each<[string, Evidence[]]>([
    ['idle', idleAgent()],
    ['exited', exitedAgent()],
    ['a plain terminal', plainShell()],
    ['idle, with work that is not saved', withPieces(idleAgent(), git({ dirtyFiles: 1 }))],
  ])('is kept while it is %s', (_, evidence) => {
    expect(verdict(declared(evidence, wish(HOUR)))).toMatchObject({
      lifecycle: 'completed-retained',
      code: 'retained',
      text: 'kept on request: review',
      keptMs: HOUR,
    });
  });

  it('has no end, where none was named', () => {
    expect(verdict(declared(idleAgent(), wish(null, '')))).toMatchObject({
      ...{ lifecycle: 'completed-retained', keptMs: null, text: 'kept on request' },
    });
  });

  it('is active while it works, and still to be kept', () => {
    const busy = withPieces(idleAgent(), word({ turn: 'running' }));
    expect(verdict(declared(busy, wish(HOUR)))).toMatchObject({ lifecycle: 'active', keptMs: HOUR });
    expect(verdict(declared(busy, wish(null)))).toMatchObject({ lifecycle: 'active', keptMs: null });
  });

  it('is as any other when the time is over', () => {
    expect(verdict(declared(idleAgent(), wish(0)))).toMatchObject({
      lifecycle: 'safe-to-close',
      code: 'proven',
    });
  });

  it('and whose work is complete is kept for the longer of the two times', () => {
    const both = (leftMs: number) => verdict(declared(idleAgent(), { ...done(MINUTE), ...wish(leftMs) }));
    expect(both(HOUR)).toMatchObject({ lifecycle: 'completed-retained', keptMs: HOUR, code: 'retained' });
    expect(both(MINUTE)).toMatchObject({ lifecycle: 'completed-retained', keptMs: 9 * MINUTE });
    const kept = declared(idleAgent(), { ...done(MINUTE), ...wish(HOUR) });
    expect(verdict(kept, { onComplete: 'keep' })).toMatchObject({ keptMs: null });
  });
});

it('without a word on its standing nothing is complete and nothing is kept', () => {
  expect(verdict(without(idleAgent(), 'standing'))).toMatchObject({ code: 'proven', keptMs: null });
});

describe('a close on its way', () => {
  it('is all that is said of a session, whatever else is known', () => {
    const closing = { closing: { at: NOW.at - MINUTE } };
    for (const evidence of [idleAgent(), plainShell(), [...idleAgent(), unavailable('tmux')]]) {
      expect(verdict(withPieces(evidence, standing(closing)))).toMatchObject({
        lifecycle: 'closing',
        code: 'close-under-way',
        text: 'its close began 1 min ago',
      });
    }
  });
});

describe('a ledger that cannot be read', () => {
  it('leaves what a session does, makes its lifecycle unknown and says so', () => {
    const evidence = [...idleAgent(), unavailable('declared')];
    expect(classify(evidence, NOW, POLICY)).toMatchObject({ activity: 'idle', lifecycle: 'unknown' });
    expect(verdict(evidence)).toMatchObject({ code: 'sensor-unavailable', text: 'declared does not answer' });
  });

  it('S28: nor does the screen tell what it would', () => {
    const shown = withPieces(
      idleAgent(),
      screen({ isPromptEmpty: null, tail: ['COMPLETE', 'rollcall complete: done'] }),
    );
    expect(verdict(declared(shown, {}, 11 * MINUTE))).toEqual(
      verdict(declared(idleAgent(), {}, 11 * MINUTE)),
    );
  });
});
