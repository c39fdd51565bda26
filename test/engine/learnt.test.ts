import { afterAll, expect, test } from 'vitest';
import type { Recollection } from '../../src/core/recollection.ts';
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

test('S30: what another process saw and saved is not forgotten, and not written over', async () => {
  await tmux.session('left');
  const saved: Recollection[] = [];
  const news: (Recollection | null)[] = [];
  const look = realLook(
    [tmux],
    {},
    {
      recollections: {
        load: () => ({ value: null }),
        save: (value) => {
          saved.push(value);
          return null;
        },
        news: () => news.shift() ?? null,
      },
    },
  );
  await look.roll();
  expect(JSON.stringify(saved[0])).not.toContain('"entered"');
  // Between two looks.
  news.push(entered(saved[0] as Recollection));
  await look.roll();
  expect(JSON.stringify(saved[1])).toContain('"entered":"make"');
  // During a look, right before it saves.
  const other = realLook(
    [tmux],
    {},
    {
      recollections: {
        load: () => ({ value: null }),
        save: (value) => {
          saved.push(value);
          return null;
        },
        news: () => entered(saved[0] as Recollection),
      },
    },
  );
  await other.roll();
  expect(JSON.stringify(saved[2])).toContain('"entered":"make"');
});
