import { describe, expect, it } from 'vitest';
import type { RememberedPane } from '../../../src/core/memory/recollection.ts';
import type { PaneReading } from '../../../src/core/memory/remember-pane.ts';
import { rememberPane } from '../../../src/core/memory/remember-pane.ts';
import { HOUR, MINUTE, NOW } from '../../support/evidence.ts';

const ELAPSED = 10_000;
const shell = { pid: 10, startTicks: 7, cpuMs: 500, ioBytes: 1000 };
const reading: PaneReading = {
  paneId: '%1',
  pid: 10,
  startTicks: 7,
  isDead: false,
  isUsedOtherwise: false,
  processes: [shell],
  lastOutputAt: NOW.at - HOUR,
};
const earlier: RememberedPane = {
  pid: 10,
  startTicks: 7,
  isDead: false,
  processes: [shell],
  lastOutputAt: NOW.at - HOUR,
  observations: 4,
  quietSinceAwakeMs: NOW.awakeMs - MINUTE,
  isDisturbed: false,
};

const look = (
  over: Partial<PaneReading> = {},
  before: RememberedPane | undefined = earlier,
  elapsedMs = ELAPSED,
  now = NOW,
) => rememberPane({ ...reading, ...over }, before, elapsedMs, now);

describe('a pane that is seen for the first time', () => {
  it('has no history', () => {
    const { pane, evidence } = rememberPane(reading, undefined, 0, NOW);
    expect(evidence).toEqual({
      kind: 'history',
      source: 'history',
      observedAt: NOW.at,
      paneId: '%1',
      observations: 1,
      quietMs: 0,
    });
    expect(pane).toEqual({ ...earlier, observations: 1, quietSinceAwakeMs: NOW.awakeMs });
  });

  it.each<[string, Partial<PaneReading>]>([
    ['another pid', { pid: 11 }],
    ['the same pid with another start', { startTicks: 8 }],
  ])('S3: is one under the same id with %s', (_, over) => {
    expect(look(over, { ...earlier, agentSeen: 'claude' }).evidence).toMatchObject({
      observations: 1,
      quietMs: 0,
    });
    expect(look(over, { ...earlier, agentSeen: 'claude' }).evidence.agentSeen).toBeUndefined();
  });

  it('remembers nothing that was not there to see', () => {
    const { lastOutputAt: _, ...bare } = reading;
    const { pane } = rememberPane(bare, undefined, 0, NOW);
    expect(Object.keys(pane)).not.toContain('lastOutputAt');
    expect(Object.keys(pane)).not.toContain('cwd');
  });
});

describe('a pane in which nothing happened', () => {
  it('grows quieter, on the clock that stands still in suspend', () => {
    expect(look().evidence).toMatchObject({ observations: 5, quietMs: MINUTE });
    expect(look().evidence.disturbedMs).toBeUndefined();
    expect(look().pane).toEqual({ ...earlier, observations: 5 });
  });

  it.each<[string, Partial<PaneReading>]>([
    ['an idle redraw', { processes: [{ ...shell, cpuMs: 1100 }] }],
    ['a trickle of storage', { processes: [{ ...shell, ioBytes: 66_536 }] }],
    ['storage counters that are not readable', { processes: [{ pid: 10, startTicks: 7, cpuMs: 500 }] }],
  ])('S27: is not disturbed by %s', (_, over) => {
    expect(look(over).evidence.quietMs).toBe(MINUTE);
  });

  it('keeps the last folder that was seen', () => {
    const before = { ...earlier, cwd: '/project' };
    expect(look({}, before).pane.cwd).toBe('/project');
    expect(look({ cwd: '/other' }, before).pane.cwd).toBe('/other');
  });
});

describe('S24: work between two looks', () => {
  it.each<[string, Partial<PaneReading>]>([
    ['processor time, also of children that have ended', { processes: [{ ...shell, cpuMs: 1101 }] }],
    ['storage', { processes: [{ ...shell, ioBytes: 66_537 }] }],
    ['a new process', { processes: [shell, { pid: 11, startTicks: 9, cpuMs: 0 }] }],
    ['a process that is gone', { processes: [] }],
    ['a process that was replaced', { processes: [{ ...shell, pid: 12 }] }],
    ['a process whose pid was used again', { processes: [{ ...shell, startTicks: 99 }] }],
    ['output', { lastOutputAt: NOW.at }],
    ['its death', { isDead: true, startTicks: 0 }],
  ])('S24: shows in %s and starts the rest anew', (_, over) => {
    const { pane, evidence } = look(over);
    expect(evidence).toMatchObject({ observations: 5, quietMs: 0, disturbedMs: 0 });
    expect(pane).toMatchObject({ isDisturbed: true, quietSinceAwakeMs: NOW.awakeMs });
  });

  it('S24: shows just as well after a longer gap, which forgives no more processor time', () => {
    const worked = { ...reading, processes: [{ ...shell, cpuMs: 1101 }] };
    expect(rememberPane(worked, earlier, 3 * ELAPSED, NOW).evidence.quietMs).toBe(0);
    const redrawn = { ...reading, processes: [{ ...shell, cpuMs: 851 }] };
    expect(rememberPane(redrawn, earlier, ELAPSED / 2, NOW).evidence.quietMs).toBe(0);
  });

  it('S24: shows in one process of several that was replaced', () => {
    const other = { pid: 11, startTicks: 9, cpuMs: 0 };
    const before = { ...earlier, processes: [shell, other] };
    expect(look({ processes: [shell, other] }, before).evidence.quietMs).toBe(MINUTE);
    expect(look({ processes: [shell, { ...other, pid: 12 }] }, before).evidence.quietMs).toBe(0);
  });

  it('S24: may hide in storage counters that could not be read before', () => {
    const unread = { ...earlier, processes: [{ pid: 10, startTicks: 7, cpuMs: 500 }] };
    expect(look({ processes: [{ ...shell, ioBytes: 99_999 }] }, unread).evidence.disturbedMs).toBe(0);
  });

  it('S24: is remembered while the pane grows quiet again', () => {
    expect(look({}, { ...earlier, isDisturbed: true }).evidence).toMatchObject({
      quietMs: MINUTE,
      disturbedMs: MINUTE,
    });
  });
});

/** Looks at one pane for a minute, as often as it says; counters move in ticks, as the kernel's do. */
function watched(
  everyMs: number,
  used: { readonly share?: number; readonly ioPerSecond?: number },
): number[] {
  const { share = 0, ioPerSecond = 0 } = used;
  let pane: RememberedPane | undefined;
  const quiet: number[] = [];
  for (let ms = 0; ms <= MINUTE; ms += everyMs) {
    const cpuMs = 500 + Math.floor((ms * share) / 10) * 10;
    const processes = [{ ...shell, cpuMs, ioBytes: Math.floor((ms * ioPerSecond) / 1000) }];
    const now = { ...NOW, at: NOW.at + ms, awakeMs: NOW.awakeMs + ms };
    const seen = rememberPane({ ...reading, processes }, pane, pane ? everyMs : 0, now);
    pane = JSON.parse(JSON.stringify(seen.pane)) as RememberedPane;
    quiet.push(seen.evidence.quietMs);
  }
  return quiet;
}

describe('S24: how often somebody looks', () => {
  const OFTEN = [50, 100, 200, 1000, 1500, 2000];
  const at = (values: readonly number[]) =>
    OFTEN.flatMap((everyMs) => values.map((value) => [everyMs, value] as const));

  it.each(at([0.2, 0.5, 0.8, 1.9]))(
    'S24: a look every %i ms shows work at %f of a core',
    (everyMs, share) => {
      expect(Math.max(...watched(everyMs, { share }))).toBeLessThan(2000);
    },
  );

  it.each(at([100_000, 200_000, 500_000]))(
    'S24: a look every %i ms shows %i bytes a second',
    (everyMs, io) => {
      expect(Math.max(...watched(everyMs, { ioPerSecond: io }))).toBeLessThan(2000);
    },
  );

  it.each([...OFTEN, 4000, 10_000, 20_000])(
    'S27: a look every %i ms lets an idle agent redraw',
    (everyMs) => {
      expect(watched(everyMs, { share: 0.024, ioPerSecond: 3000 }).at(-1)).toBe(MINUTE);
    },
  );

  it.each([50, 100, 500])(
    'S27: a look every %i ms forgives one burst, and not a second right after it',
    (everyMs) => {
      const steps = (...cpu: number[]) => {
        let pane: RememberedPane = earlier;
        return cpu.map((cpuMs, index) => {
          const now = { ...NOW, awakeMs: NOW.awakeMs + index * everyMs };
          const seen = look({ processes: [{ ...shell, cpuMs }] }, pane, everyMs, now);
          pane = seen.pane;
          return seen.evidence.quietMs > 0;
        });
      };
      expect(steps(600, 600, 690)).toEqual([true, true, false]);
      // What was judged is not held against it twice.
      expect(steps(600, 600, 690, 780, 781)).toEqual([true, true, false, true, true]);
    },
  );

  it('S24: what one process used is not outweighed by the counters of another that went down', () => {
    const other = { pid: 11, startTicks: 9, cpuMs: 5000, ioBytes: 900_000 };
    const before = { ...earlier, processes: [shell, other] };
    const less = { pid: 11, startTicks: 9, cpuMs: 0 };
    const quiet = (one: RememberedPane['processes'][number]) =>
      look({ processes: [less, one] }, before).evidence.quietMs;
    expect(quiet(shell)).toBe(MINUTE);
    expect(quiet({ ...shell, cpuMs: 1101 })).toBe(0);
    expect(quiet({ ...shell, ioBytes: 66_537 })).toBe(0);
  });

  it('S24: nothing is kept of what was judged, and nothing new of a pane that rests', () => {
    expect(look().pane).not.toHaveProperty('used');
    const once = look({}, earlier, 100).pane;
    expect(once.used).toEqual({ ms: 100, cpuMs: 0, ioBytes: 0 });
    expect(look({}, once, 1400).pane).not.toHaveProperty('used');
    expect(look({ lastOutputAt: NOW.at }, once, 100).pane).not.toHaveProperty('used');
  });
});

describe('the agent that was seen in a pane', () => {
  const before = { ...earlier, agentSeen: 'claude' };
  it.each<[string, string | undefined, Partial<PaneReading>, RememberedPane | undefined]>([
    ['is the one that runs now', 'codex', { agent: 'codex' }, before],
    ['is the one that ran before', 'claude', {}, before],
    ['is the one it was started for, at first sight', 'claude', { agentStarted: 'claude' }, undefined],
    ['is none in a terminal that found another use', undefined, { isUsedOtherwise: true }, before],
    [
      'is none in one that found another use, whatever it was started for',
      undefined,
      { isUsedOtherwise: true, agentStarted: 'claude' },
      before,
    ],
    ['stays none once a person has taken over the leftover', undefined, { agentStarted: 'claude' }, earlier],
    ['is none where none was seen', undefined, {}, undefined],
  ])('%s', (_, seen, over, previous) => {
    const { pane, evidence } = rememberPane({ ...reading, ...over }, previous, ELAPSED, NOW);
    expect(evidence.agentSeen).toBe(seen);
    expect(pane.agentSeen).toBe(seen);
  });
});

describe('what its screen told', () => {
  const told = { muteAt: 5, prompt: { pid: 10, startTicks: 7, program: 'bash', shape: '❯ ' } };

  it('is kept as long as the pane is the same', () => {
    expect(look({}, { ...earlier, ...told }).pane).toMatchObject(told);
    expect(look({ pid: 11 }, { ...earlier, ...told }).pane).not.toHaveProperty('prompt');
  });
});

describe('the shell that an agent left', () => {
  const glance = {
    pid: 10,
    startTicks: 7,
    program: 'bash',
    observedAt: NOW.at,
    turns: '7 4 1',
    readAt: 1000,
  };
  const left = { ...earlier, agentSeen: 'claude', input: glance };
  const read = { ...glance, turns: '7 5 1', readAt: NOW.at / 1000, isWaiting: true };

  it('is remembered from the first look on', () => {
    const { pane, evidence } = look({ shell: { ...glance, isWaiting: true } }, {
      ...left,
      input: undefined,
    } as never);
    expect([pane.input, evidence.entered]).toEqual([glance, undefined]);
  });

  it('is a person’s once something was entered in it', () => {
    const { pane, evidence } = look({ shell: read }, left);
    expect([pane.input, evidence.entered]).toEqual([
      glance,
      'something was entered in bash (pid 10) since its agent left',
    ]);
    expect(look({ shell: read }, pane).evidence.entered).toBe(evidence.entered);
  });

  it('promise 5: stays a person’s through another agent, for as long as it lives', () => {
    const { pane, evidence } = look({ shell: read }, left);
    const again = look({ agent: 'claude' }, pane);
    expect(again.evidence.entered).toBeUndefined();
    const after = look({ shell: read }, again.pane);
    expect(after.evidence.entered).toBe(evidence.entered);
    expect(look({ shell: read, startTicks: 8 }, after.pane).evidence.entered).toBeUndefined();
  });

  it('is not for certain a person’s where it only ran', () => {
    const early = { ...glance, readAt: NOW.at / 1000 };
    const { pane, evidence } = look({ shell: { ...read, isWaiting: false } }, { ...left, input: early });
    expect([evidence.entered, pane.entered]).toEqual([expect.stringContaining('may have'), undefined]);
  });

  it('is forgotten as it was when an agent is there again, or another pane', () => {
    expect(look({ shell: read, agent: 'claude' }, left).pane.input).toBeUndefined();
    const { pane, evidence } = look({ shell: read, startTicks: 8 }, left);
    expect([pane.input?.readAt, evidence.entered]).toEqual([read.readAt, undefined]);
  });
});

describe('a shell that a completion or an agent left', () => {
  const glance = { pid: 10, startTicks: 7, program: 'bash', observedAt: NOW.at, turns: '1', readAt: 1 };
  const waiting = { ...glance, isWaiting: true };
  const typedIn = { ...waiting, readAt: 900 };
  const atWork = { ...glance, turns: '' };
  const word = { at: 5, isAtRest: false, isClosing: false };

  it('is told as it waits, for whoever declares its work complete', () => {
    expect(look({ shell: waiting }).evidence.input).toEqual(glance);
    expect(look({ shell: { ...waiting, isWaiting: false } }).evidence.input).toEqual(atWork);
    expect(look({ terminal: { ...waiting, isWaiting: false } }).evidence.input).toEqual(atWork);
  });

  it('number 8: is untouched by what was entered before its work was declared complete', () => {
    const { evidence, pane } = look({ shell: typedIn, word }, { ...earlier, input: glance });
    expect([evidence.entered, evidence.used, pane.word]).toEqual([undefined, undefined, { at: 5 }]);
  });

  it('law 2: is used where anything was entered after that, and stays so', () => {
    const said = { ...word, input: glance };
    const once = look({ shell: typedIn, word: said });
    expect(once.evidence.used).toBe('something was entered in it since, or may have been');
    const later = look({ shell: typedIn, word: said }, once.pane);
    expect([later.evidence.entered, later.evidence.used]).toEqual([undefined, once.evidence.used]);
  });

  it('law 2: is used where a program was started in it after a look had found it waiting', () => {
    const before = { ...earlier, word: { at: 5 } };
    const busy = { isUsedOtherwise: true, word };
    // The line with `rollcall complete` in it may go on.
    expect(look(busy, before).evidence.used).toBeUndefined();
    expect(look(busy, { ...before, input: glance }).evidence.used).toBe('something was started in it since');
  });

  it('law 2: is used where a program is younger than the word, without an earlier look', () => {
    const before = { ...earlier, word: { at: 5 } };
    const started = { pid: 30, startTicks: 9, startedAt: 6 };
    const busy = { isUsedOtherwise: true, word: { ...word, input: atWork }, started };
    expect(look(busy, before).evidence.used).toBe('something was started in it since');
    // It was at work on it when that was said.
    expect(look({ ...busy, started: { ...started, startedAt: 5 } }, before).evidence.used).toBeUndefined();
    const { word: _, ...unsaid } = busy;
    expect(look(unsaid).evidence.used).toBeUndefined();
  });

  it('law 2: is used where a program came after its agent, which had said it', () => {
    const before = { ...earlier, agentSeen: 'claude', word: { at: 5 } };
    const started = { pid: 30, startTicks: 9, startedAt: 5 };
    const busy = { isUsedOtherwise: true, word, started };
    expect(look(busy, before).evidence.used).toBe('something was started in it since');
    // A helper of the agent may outlive it for a moment.
    const known = { ...before, processes: [shell, { pid: 30, startTicks: 9, cpuMs: 0 }] };
    expect(look(busy, known).evidence.used).toBeUndefined();
  });

  it('law 2: is used by what was entered while a close was on its way, once that is over', () => {
    const said = { ...word, input: glance };
    const closing = { ...said, isClosing: true };
    const stopped = look({ shell: typedIn, word: closing }, { ...earlier, word: { at: 5 }, input: glance });
    expect(stopped.evidence.used).toBeUndefined();
    expect(stopped.evidence.entered).toContain('something was entered');
    // Of a word that recorded no shell, memory alone can tell.
    const unrecorded = look({ shell: typedIn, word: { ...word, isClosing: true } }, stopped.pane);
    expect(look({ shell: typedIn, word }, unrecorded.pane).evidence.used).toContain('entered');
    const next = look({ shell: typedIn, word: said }, stopped.pane);
    expect(next.evidence.used).toBe('something was entered in it since, or may have been');
  });

  it('law 2: is compared with the ledger’s glance, whatever memory has', () => {
    const moved = { ...earlier, word: { at: 5 }, input: { ...glance, readAt: 900 } };
    const said = { ...word, input: glance };
    const found = look({ shell: typedIn, word: said }, moved);
    expect([found.evidence.entered, found.evidence.used]).toEqual([
      undefined,
      'something was entered in it since, or may have been',
    ]);
    const closing = { shell: typedIn, word: { ...said, isClosing: true } };
    const text = 'something was entered in its shell since it was declared complete';
    expect(look(closing, moved).evidence.entered).toBe(text);
    // A person closes it although the completion is over: it was told once.
    const over = { ...moved, word: { at: 5, used: 'used' } };
    expect(look(closing, over).evidence.entered).toBeUndefined();
    // Another completion has a word of its own.
    expect(
      look(closing, { ...moved, agentSeen: 'claude', word: { at: 4, used: 'used' } }).evidence.entered,
    ).toBe(text);
    const untouched = { shell: waiting, word: { ...said, isClosing: true } };
    expect(look(untouched, { ...earlier, word: { at: 5 }, input: glance }).evidence.entered).toBeUndefined();
    // Where memory was lost, what an agent left is compared with it too.
    const lost = rememberPane(
      { ...reading, agentStarted: 'claude', shell: typedIn, word: said },
      undefined,
      0,
      NOW,
    );
    expect(lost.evidence.entered).toContain('since its agent left');
  });

  it('law 2: said from inside, is used by a read in a later step, however late the next look is', () => {
    const said = { ...word, input: atWork };
    expect(look({ shell: typedIn, word: said }).evidence.used).toContain('entered');
    expect(look({ shell: { ...waiting, turns: '9' }, word: said }).evidence.used).toBeUndefined();
  });

  it('story 8: is not used by a new size of its window, once a later look could tell', () => {
    const early = { ...glance, readAt: NOW.at / 1000 };
    const said = { ...word, input: early };
    const still = { ...early, isWaiting: true, observedAt: NOW.at + 9000 };
    const first = look({ shell: still, word: said });
    const resized = { ...still, turns: '2', observedAt: NOW.at + 20_000 };
    expect(look({ shell: resized, word: said }, first.pane).evidence.used).toBeUndefined();
    expect(look({ shell: resized, word: said }).evidence.used).toContain('may have been');
  });

  it('tells the end of the turn in which it was said', () => {
    const before = { ...earlier, word: { at: 5, restedAt: 6 } };
    expect(look({ agent: 'claude', word }, before).evidence.restedAt).toBe(6);
  });

  it('law 2: is a person’s for good once a program ran in what an agent had left', () => {
    const left = { ...earlier, agentSeen: 'claude', input: glance };
    const vim = look({ isUsedOtherwise: true }, left);
    expect(vim.pane.agentSeen).toBeUndefined();
    const text = 'something was started in it since its agent left';
    expect([vim.pane.entered, vim.evidence.entered]).toEqual([text, text]);
    const quit = look({ shell: typedIn }, vim.pane);
    expect(quit.evidence.entered).toContain('entered');
    expect(look({ shell: typedIn }, quit.pane).evidence.entered).toBe(text);
    expect(look({ agent: 'claude' }, quit.pane).pane.entered).toBe(text);
  });

  it('law 2: is compared as its agent left it, also where another completion was declared since', () => {
    const left = { ...earlier, agentSeen: 'claude', input: glance };
    const said = look({ shell: typedIn, word: { ...word, input: { ...glance, readAt: 900 } } }, left);
    expect(said.evidence.entered).toContain('since its agent left');
  });

  it('keeps what it is compared with while no shell is in front', () => {
    const left = { ...earlier, agentSeen: 'claude', input: glance };
    const { pane, evidence } = look({}, left);
    expect([pane.input, pane.entered, evidence.entered]).toEqual([glance, undefined, undefined]);
  });

  it('is nobody’s yet where its own script goes on after the agent', () => {
    const left = { ...earlier, agentSeen: 'claude' };
    expect(look({ isUsedOtherwise: true }, left).evidence.entered).toBeUndefined();
  });
});
