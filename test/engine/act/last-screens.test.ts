import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { archiveSession, keepLastScreens } from '../../../src/engine/act/close/archive-session.ts';
import { lookAt, subjectOf } from '../../../src/engine/act/close/look-at.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { until } from '../../support/until.ts';
import { type ClosingRoom, SHELL } from './closing-room.ts';
import { test } from './closing-test.ts';

const RESUME = 'to resume: agent --resume 4711';
const LEAVES = `echo ${RESUME}; ${SHELL}`;

/** An agent that was archived and has not left yet. */
async function archived(room: ClosingRoom, hands: Hands, behind: string, before = '') {
  const { paneId } = await room.agent('worker', 'leaves', behind, before);
  const subject = subjectOf(await room.entry(hands, 'worker'));
  const sight = await lookAt(hands, subject);
  if (sight.state !== 'there') throw new Error(sight.state);
  const written = await archiveSession(hands, subject, sight, { id: 'r1', claims: null });
  if (written.state !== 'written') throw new Error(written.text);
  const { panes } = sight;
  const number = paneId.slice(1);
  return {
    ...{ path: written.path, first: `pane-${number}.txt`, last: `pane-${number}.last`, paneId, panes },
    keep: (by: Pick<Hands, 'tmux' | 'archive'> = hands) =>
      keepLastScreens(by, subject, { panes, archiveId: 'r1', digests: new Map() }),
    text: (name: string) => readFileSync(join(written.path, name), 'utf8'),
    says: async (keys: string, shown: string) => {
      await room.tmux.tmux('send-keys', '-t', paneId, keys, 'Enter');
      await until(
        `it shows ${shown}`,
        () => room.tmux.tmux('capture-pane', '-p', '-t', paneId),
        (screen) => screen.includes(shown),
      );
    },
  };
}

describe.concurrent('what a pane shows right before it is removed', () => {
  test('is added to the archive with the last words of its agent', async ({ staying: room, hands }) => {
    const { keep, says, text, path, first, last } = await archived(room, hands, LEAVES);
    const before = text(first);
    await says('/exit', `${RESUME}\n$`);
    expect(await keep()).toEqual([]);
    expect(text(`${last}.txt`)).toContain(RESUME);
    expect(text(first)).toBe(before);
    expect(before).not.toContain(RESUME);
    expect(readdirSync(path).sort()).toEqual([`${last}.txt`, first, 'session.json']);
  });

  test('is not kept twice, and replaces nothing where it moved once more', async ({
    staying: room,
    hands,
  }) => {
    const { keep, says, text, path, first, last } = await archived(room, hands, LEAVES);
    expect(await keep()).toEqual([]);
    expect(readdirSync(path).sort()).toEqual([first, 'session.json']);
    await says('/exit', `${RESUME}\n$`);
    await keep();
    const kept = text(`${last}.txt`);
    await keep();
    expect(readdirSync(path)).toHaveLength(3);
    await says('echo mo""re', '\nmore');
    expect(await keep()).toEqual([]);
    expect(text(`${last}.txt`)).toBe(kept);
    expect(text(`${last}-2.txt`)).toContain('\nmore\n');
  });

  test('is not kept again where only the full-screen program is gone', async ({ staying: room, hands }) => {
    const below = "echo result of a long measurement; printf '\\033[?1049h'; ";
    const { keep, says, text, path, first } = await archived(
      ...([room, hands, "printf '\\033[?1049l'; exec sleep 1000", below] as const),
    );
    expect(text(first)).toMatch(/^result of a long measurement\n-+ .*\n.*a scripted agent/s);
    await says('/exit', 'result of a long measurement');
    expect(await keep()).toEqual([]);
    expect(readdirSync(path).sort()).toEqual([first, 'session.json']);
  });

  test('stops nothing where it cannot be kept, and is told', async ({ staying: room, hands }) => {
    const { keep, says, path, paneId } = await archived(room, hands, LEAVES);
    await says('/exit', `${RESUME}\n$`);
    const tmux = (history: Hands['tmux']['history']) => ({ ...hands, tmux: { ...hands.tmux, history } });
    const note = (why: string) => [`what pane ${paneId} showed last is not kept: ${why}`];
    expect(await keep(tmux(async () => ({ state: 'failed', text: 'no answer' })))).toEqual(note('no answer'));
    expect(await keep(tmux(async () => ({ state: 'absent' })))).toEqual(note('it went away'));
    const cut = tmux(async () => ({ state: 'captured', text: 'the end\n', isCut: true }));
    expect(await keep(cut)).toEqual([`of what pane ${paneId} showed last, the beginning is not kept`]);
    rmSync(path, { recursive: true });
    expect(await keep()).toEqual([expect.stringContaining(note(`${path} was not written`)[0] ?? '')]);
  });
});
