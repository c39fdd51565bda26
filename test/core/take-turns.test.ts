import { describe, expect, it } from 'vitest';
import { createTurns } from '../../src/core/take-turns.ts';

describe('turns', () => {
  it('are taken by so many at the same time, in order, whether they succeed or not', async () => {
    const turns = createTurns(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const results = [0, 1, 2, 3].map((number) =>
      turns(async () => {
        begun.push(number);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (number === 0) throw new Error('failed');
        return number;
      }),
    );
    const [first] = results;
    expect(begun).toEqual([0, 1]);
    ends[0]?.();
    await expect(first).rejects.toThrow('failed');
    expect(begun).toEqual([0, 1, 2]);
    ends[1]?.();
    expect(await results[1]).toBe(1);
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const end of ends) end();
    expect(await Promise.all(results.slice(2))).toEqual([2, 3]);
    expect(await turns(async () => 'free again')).toBe('free again');
  });
});
