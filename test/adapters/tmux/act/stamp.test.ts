import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { targetOf } from './act-room.ts';
import { openStartRoom, STAMP } from './start-room.ts';

const room = openStartRoom();

describe('stamping', () => {
  it('S55: writes any text as it is, and takes off what there is none of', async () => {
    const { paneId } = await room.tmux.session('adopted', 'sleep', '1000');
    const pane = await targetOf(room.tmux, paneId);
    const odd = `-x; ' " \\ $HOME ~ #{pid} #(id) {} é\n\t|`;
    const stamp = { run: odd, owner: odd, role: odd, task: odd };
    expect(await room.actuator.stamp(pane, stamp)).toEqual({ state: 'done' });
    for (const name of Object.keys(stamp)) {
      expect(await room.tmux.tmux('show-options', '-pv', '-t', paneId, `@rollcall_${name}`)).toBe(odd);
    }
    expect(await room.actuator.stamp(pane, { ...STAMP, task: null })).toEqual({ state: 'done' });
    expect(await room.stampOf(paneId)).toBe('a1b2c3d4e5f6|somebody|worker|');
    expect(await room.actuator.stamp(pane, { ...STAMP, task: null })).toEqual({ state: 'done' });
  });

  it('S55: whatever the text, tmux keeps exactly that', async () => {
    const { paneId } = await room.tmux.session('adopted', 'sleep', '1000');
    const pane = await targetOf(room.tmux, paneId);
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'\\\'";#$~{}%,\n\t -@='),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(text, async (owner) => {
        expect(await room.actuator.stamp(pane, { ...STAMP, owner })).toEqual({ state: 'done' });
        expect(await room.ask(paneId, '<#{@rollcall_owner}>')).toBe(`<${owner}>`);
      }),
      { numRuns: 60 },
    );
  });

  it('S2: never stamps another process', async () => {
    const { paneId } = await room.tmux.session('adopted', 'sleep', '1000');
    const pane = await targetOf(room.tmux, paneId);
    await room.tmux.tmux('respawn-pane', '-k', '-t', paneId, 'sleep 1000');
    expect(await room.actuator.stamp(pane, STAMP)).toMatchObject({ state: 'changed' });
    expect(await room.stampOf(paneId)).toBe('|||');
  });
});
