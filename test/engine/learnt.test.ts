import { afterAll, expect, test } from 'vitest';
import type { Recollection } from '../../src/core/memory/recollection.ts';
import type { SessionEntry } from '../../src/core/sight/roll.ts';
import type { GitSensor } from '../../src/ports/sensor.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { realLook } from '../support/real-look.ts';

const tmux = new PrivateTmux('learnt');
afterAll(() => tmux.stop());

/** The same, where another process saw that somebody entered something. */
function entered(memory: Recollection): Recollection {
  return JSON.parse(
    JSON.stringify(memory, (key, value) =>
      key === 'panes'
        ? Object.fromEntries(
            Object.entries(value).map(([id, pane]) => [id, { ...(pane as object), entered: 'make' }]),
          )
        : value,
    ),
  );
}

/** Looks that load nothing, and whose news are these. */
function lookWith(saved: Recollection[], news: () => Recollection | null) {
  const save = (value: Recollection) => {
    saved.push(value);
    return null;
  };
  return realLook([tmux], {}, { recollections: { load: () => ({ value: null }), save, news } });
}

test('S30: what another process saw and saved is not forgotten, and not written over', async () => {
  await tmux.session('left');
  const saved: Recollection[] = [];
  const news: Recollection[] = [];
  let asked = 0;
  const look = lookWith(saved, () => {
    asked += 1;
    return news.shift() ?? null;
  });
  await look.roll();
  expect(JSON.stringify(saved[0])).not.toContain('"entered"');
  // Between two looks.
  news.push(entered(saved[0] as Recollection));
  asked = 0;
  await look.roll();
  // Before it looks, so that this very look knows of it, and before it saves.
  expect(asked).toBe(2);
  expect(JSON.stringify(saved[1])).toContain('"entered":"make"');
  // During a look, right before it saves.
  await lookWith(saved, () => entered(saved[0] as Recollection)).roll();
  expect(JSON.stringify(saved[2])).toContain('"entered":"make"');
});

test('S39: a look for another process asks git anew', async () => {
  await tmux.session('asked');
  const fresh: (boolean | undefined)[] = [];
  const git: GitSensor = {
    sense: async (cwds, isFresh) => {
      fresh.push(isFresh);
      return cwds.map((cwd) => ({ state: 'none', cwd, observedAt: Date.now() }));
    },
  };
  const look = realLook([tmux], {}, { git });
  const inspect = (sessions: readonly SessionEntry[]) => sessions;
  await look.roll({ inspect });
  expect(fresh).not.toContain(true);
  fresh.length = 0;
  await look.roll({ inspect, asker: { pid: process.pid, pane: null } });
  expect(new Set(fresh)).toEqual(new Set([true]));
});
