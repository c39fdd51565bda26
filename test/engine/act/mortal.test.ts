import { describe, expect, test } from 'vitest';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { killedInside } from '../../support/mortal.ts';

/** Hands whose ledger is a list, and that count how often they waited. */
function scene() {
  const written: string[] = [];
  const hands = {
    ledger: { append: (text: string) => written.push(text) },
    wait: async () => void written.push('waited'),
  };
  const handsWith = async (changes: Pick<Hands, 'onStep'>) => ({ ...hands, ...changes }) as unknown as Hands;
  return { written, handsWith };
}

const append = ({ ledger }: Hands, text: string) => ledger.append(text as never);
const afterSecond = (step: string, when: string) => step === 'second' && when === 'after';

describe('hands that are killed at a step', () => {
  test('do nothing any more, whoever catches that or cleans up', async () => {
    const { written, handsWith } = scene();
    const end = await killedInside(handsWith, afterSecond, async (hands) => {
      try {
        append(hands, 'before');
        hands.onStep?.('second', 'before');
        hands.onStep?.('second', 'after');
        append(hands, 'after');
      } catch {
        append(hands, 'caught');
      } finally {
        await hands.wait(1).catch(() => {});
      }
    });
    expect([end, written]).toEqual(['killed', ['before']]);
  });

  test('are killed also where that is caught, and nothing more is tried', async () => {
    const { handsWith } = scene();
    const end = await killedInside(handsWith, afterSecond, async ({ onStep }) => {
      try {
        onStep?.('second', 'after');
      } catch {
        return 'unhurt';
      }
    });
    expect(end).toBe('killed');
  });

  test('live on where the step does not come, and fail as ever', async () => {
    const { handsWith } = scene();
    const lives = await killedInside(handsWith, afterSecond, async ({ onStep }) =>
      onStep?.('first', 'after'),
    );
    expect(lives).toEqual({ livesOn: undefined });
    const fails = killedInside(handsWith, afterSecond, () => Promise.reject(new Error('its own')));
    await expect(fails).rejects.toThrow('its own');
  });
});
