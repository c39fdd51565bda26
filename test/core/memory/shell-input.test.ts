import { describe, expect, it } from 'vitest';
import { AT_WORK, rememberInput } from '../../../src/core/memory/shell-input.ts';
import type { ShellGlance } from '../../../src/core/sight/sighting.ts';

/** Seen 20 seconds after its terminal was last read: any read since then has another time. */
const glance = (over: Partial<ShellGlance> = {}): ShellGlance => ({
  ...{ pid: 100, startTicks: 2, program: 'bash', observedAt: 1_020_000, turns: '2 7 4', readAt: 1000 },
  ...{ isWaiting: true, ...over },
});
const kept = (over: Partial<ShellGlance> = {}) => {
  const { isWaiting: _, ...input } = glance(over);
  return input;
};
/** Seen in the same step of the kernel's clock as the last read. */
const EARLY = { observedAt: 1_007_999 };

describe('a shell that is seen for the first time', () => {
  it('is remembered where it waits', () => {
    expect(rememberInput(glance(), undefined, true)).toEqual({ input: kept() });
    expect(rememberInput(glance({ isWaiting: false }), undefined, true)).toEqual({});
    expect(rememberInput(undefined, undefined, true)).toEqual({});
  });
});

describe('a shell in which nothing was entered', () => {
  it.each<[string, Partial<ShellGlance>, Partial<ShellGlance>]>([
    ['did not run', {}, { observedAt: 1_030_000 }],
    ['did not run since right after a read', EARLY, { observedAt: 1_030_000 }],
    ['ran and read nothing, as for a new size', {}, { observedAt: 1_030_000, turns: '2 9 4' }],
  ])('%s', (_, before, now) => {
    expect(rememberInput(glance(now), kept(before), true)).toEqual({ input: kept(now) });
  });

  it('is remembered while something else is in front', () => {
    expect(rememberInput(undefined, kept(), true)).toEqual({ input: kept() });
  });
});

describe('a shell in which something was entered', () => {
  const read = glance({ observedAt: 1_030_000, turns: '2 8 4', readAt: 1024 });
  const since = 'something was entered in bash (pid 100) since';

  it('is a person’s from then on where an agent left it', () => {
    const once = rememberInput(read, kept(), true);
    expect(once).toEqual({ input: kept(), entered: `${since} its agent left` });
    expect(rememberInput({ ...read, observedAt: 9_000_000 }, once.input, true)).toEqual(once);
  });

  it('is told of once where no agent was', () => {
    const once = rememberInput(read, kept(), false);
    expect(once.entered).toBe(`${since} the last look`);
    expect(rememberInput(read, once.input, false).entered).toBeUndefined();
  });

  it('law 2: is not dropped while a close is on its way', () => {
    const once = rememberInput(read, kept(), false, true);
    expect(once).toEqual({ input: kept(), entered: `${since} the last look` });
    expect(rememberInput(read, once.input, false).entered).toBe(once.entered);
  });

  it('story 4: is told of once in zsh too, so that waiting meets it', () => {
    const zsh = { program: 'zsh' };
    const { input } = rememberInput({ ...read, ...zsh }, kept(zsh), false);
    expect(rememberInput({ ...read, ...zsh }, input, false).entered).toBeUndefined();
  });

  it.each([[{ pid: 101 }], [{ startTicks: 3 }]])('is one behind another shell: %o', (over) => {
    const { input, entered } = rememberInput(glance(over), kept(), true);
    expect([input, entered]).toEqual([kept(), expect.stringContaining('since its agent left')]);
  });

  it('may be one that ran, where the kernel’s clock is too coarse to tell', () => {
    const mayHave = (since: string) =>
      `bash (pid 100) has run since ${since}: something may have been entered in it`;
    const now = glance({ ...EARLY, turns: '2 8 4' });
    const left = rememberInput(now, kept(EARLY), true);
    expect(left).toEqual({ input: kept(EARLY), entered: mayHave('its agent left') });
    const plain = rememberInput(now, kept(EARLY), false);
    expect(plain).toEqual({ input: kept({ ...EARLY, turns: '2 8 4' }), entered: mayHave('the last look') });
  });

  it('may be one that is at work', () => {
    const { input, entered } = rememberInput(glance({ isWaiting: false }), kept(), true);
    expect([input, entered]).toEqual([kept(), expect.stringContaining('may have been entered')]);
  });
});

describe('a shell that was at work when it was seen', () => {
  const busy = kept({ turns: AT_WORK });

  it('is compared by reads of its terminal alone, whichever shell is in front', () => {
    const back = glance({ pid: 101, turns: '2 99 9' });
    expect(rememberInput(back, busy, false)).toEqual({ input: kept({ pid: 101, turns: '2 99 9' }) });
    expect(rememberInput({ ...back, isWaiting: false }, busy, false)).toEqual({ input: busy });
    expect(rememberInput({ ...back, readAt: 1024 }, busy, false).entered).toContain('something was entered');
  });
});
