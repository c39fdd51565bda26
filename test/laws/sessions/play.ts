import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { bundle } from '../../support/bundle.ts';
import { equip } from '../races/racing-agent.ts';
import { World } from '../world.ts';
import type { Told } from './batch.ts';
import type { Order } from './player.ts';

export type Played = Told & { readonly cpuSeconds: number };

/** Plays batches in a world of their own, one after the other, until one of them goes wrong. */
export async function play(
  player: string,
  order: Omit<Order, 'folder'>,
  onBatch: (played: Played) => void,
): Promise<void> {
  const world = await World.open();
  try {
    equip(world);
    mkdirSync(order.kept, { recursive: true });
    const file = join(world.folder, 'order.json');
    writeFileSync(file, JSON.stringify({ ...order, folder: world.folder }));
    const child = world.start([process.execPath, player, file]);
    let trouble = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      trouble += text;
    });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    let count = 0;
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      count += 1;
      onBatch(JSON.parse(line) as Played);
    }
    const status = await ended;
    if (status !== 0) throw new Error(`the player ended with ${status} after ${count} batches: ${trouble}`);
  } finally {
    await world.close();
  }
}

/** The player in one file, for a Node in a world; removed by whoever asked for it. */
export async function makePlayer(): Promise<{ readonly file: string; remove(): void }> {
  const folder = resolve('node_modules', `.rollcall-sessions-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'player.mjs');
  await bundle({ input: resolve('test/laws/sessions/player.ts'), file, format: 'esm' });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
