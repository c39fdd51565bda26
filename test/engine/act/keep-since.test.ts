import { describe, expect } from 'vitest';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { lives, outcomesIn, SHORT } from './closing-room.ts';
import { test } from './closing-test.ts';

// At once, as no command could: whatever looks next finds it.
function keep(hands: Hands, { key, name }: SessionEntry): void {
  const body = { until: hands.now() + 3_600_000, reason: 'to be read' };
  hands.ledger.append({ kind: 'declared', action: 'retain', session: { key, name }, body });
}

describe.concurrent('number 4: a wish to keep a session', () => {
  test('that was there before gives way to whoever closes it by name, and is noted', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'leaves');
    keep(hands, await room.entry(hands, 'worker'));
    expect(await room.close(hands, 'worker', { isAutomatic: true })).toMatchObject({ state: 'refused' });
    expect(lives(pid)).toBe(true);
    const result = await room.close(hands, 'worker');
    expect(result).toMatchObject({
      state: 'closed',
      receipt: {
        waived: [{ code: 'rested' }, { code: 'retained', text: expect.stringContaining('to be read') }],
        despite: [],
      },
    });
    expect(lives(pid)).toBe(false);
  });

  test('that comes while the close still waits stops it', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    room.policy = { confirmMs: 3_600_000 };
    const closer = await room.hands();
    const entry = await room.entry(closer, 'worker');
    let isSaid = false;
    const onProgress = () => {
      if (!isSaid) keep(hands, entry);
      isSaid = true;
    };
    const result = await room.close(
      closer,
      entry,
      {},
      { onProgress, timings: { ...SHORT, decideMs: 60_000 } },
    );
    expect(result).toMatchObject({ state: 'refused', text: 'somebody asked to keep it since' });
    expect([isSaid, lives(pid), outcomesIn(hands)]).toEqual([true, true, []]);
  });

  test('that comes when it is decided stops it too', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    const closer = await room.hands({
      onStep: (step, when) => {
        if (step === 'archive' && when === 'after') keep(hands, entry);
      },
    });
    expect(await room.close(closer, entry)).toMatchObject({
      ...{ state: 'aborted', text: 'it is kept on purpose' },
    });
    expect(lives(pid)).toBe(true);
  });
});
