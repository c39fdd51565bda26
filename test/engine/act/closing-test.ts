import { test as base } from 'vitest';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { ClosingRoom } from './closing-room.ts';

/** Tests that have a room each, so that they may run side by side: most of their time is waiting. */
export const test = base.extend<{
  room: ClosingRoom;
  hands: Hands;
  /** Keeps the server when the session under test goes; only for tests that name it. */
  staying: ClosingRoom;
}>({
  room: async ({ task: _ }, use) => {
    const room = new ClosingRoom();
    await use(room);
    room.leave();
  },
  hands: async ({ room }, use) => use(await room.hands()),
  staying: async ({ room }, use) => {
    await room.tmux.session('stays');
    await use(room);
  },
});
