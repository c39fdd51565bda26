import { describe, expect, it } from 'vitest';
import { once } from '../../src/core/once.ts';

describe('once', () => {
  it('makes at the first call, and gives the same from then on', () => {
    let calls = 0;
    const given = once(() => ({ number: ++calls }));
    expect(calls).toBe(0);
    expect(given()).toBe(given());
    expect(calls).toBe(1);
  });
});
