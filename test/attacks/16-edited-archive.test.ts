import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { LedgerEntry } from '../../src/core/ledger/entry.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { closedAs, reopenedOr } from '../../src/engine/act/reopen/trouble.ts';
import { run } from '../../src/engine/act/run.ts';
import { wakeSession } from '../../src/engine/act/sleep/wake-session.ts';
import { isTrouble } from '../../src/engine/act/trouble.ts';
import { createArchiveCheck } from '../../src/engine/check-archives.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { type ClosingRoom, receiptsIn } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';

interface Scene {
  readonly room: ClosingRoom;
  readonly hands: Hands;
}

/** A session that was closed: its receipt and its archive. */
async function closed({ room, hands }: Scene) {
  await room.agent('worker', 'leaves');
  const result = await room.close(hands, 'worker');
  if (result.state !== 'closed') throw new Error(JSON.stringify(result));
  return { receipt: String(result.receipt.receipt), archive: String(result.receipt.archive) };
}

/** Puts another program in the place of the one that brings the agent back. */
function edit(archive: string, room: ClosingRoom): { readonly didRun: () => boolean } {
  const path = join(archive, 'session.json');
  const document = JSON.parse(readFileSync(path, 'utf8'));
  const hacked = join(room.tmux.folder, 'hacked');
  document.panes[0].agent.resume = ['/bin/sh', '-c', `touch ${hacked}; exec sleep 1000`];
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
  return { didRun: () => existsSync(hacked) };
}

async function reopen(
  { room, hands }: Scene,
  receipt: string,
  isUnsealedEnough = false,
  entries = entriesOf(hands),
) {
  const found = closedAs(entries, receipt);
  if (isTrouble(found)) throw new Error(found.text);
  const result = await reopenSession(hands, {
    ...{ closed: found, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
    ...{ shell: '/bin/sh', argv: ['test'], isUnsealedEnough },
  });
  return reopenedOr(result, 0);
}

const compared = (hands: Hands) => {
  const check = createArchiveCheck(hands.archive);
  hands.ledger.verify(check.begin);
  return check.compare();
};

/** The entries as a version would have left them that recorded no digest. */
const older = (entries: readonly LedgerEntry[]) =>
  entries.map((entry) => {
    const { digests: _, ...body } = entry.body;
    return { ...entry, body };
  });

describe.concurrent('an archive that was edited', () => {
  test('is not run by reopen, which tells the command that the ledger has', async ({
    staying: room,
    hands,
  }) => {
    const { receipt, archive } = await closed({ room, hands });
    const { didRun } = edit(archive, room);
    for (const isUnsealedEnough of [false, true]) {
      const refused = await reopen({ room, hands }, receipt, isUnsealedEnough);
      expect(refused).toMatchObject({
        exit: 'refused',
        text: expect.stringContaining(archive),
        hint: expect.stringContaining(`by hand: /bin/sh ${room.agents.argv('worker', 'leaves').join(' ')}`),
      });
    }
    expect(didRun()).toBe(false);
    expect(await room.names()).toEqual(['stays']);
    expect(compared(hands)).toMatchObject({
      compared: 1,
      changed: [{ receipt, text: 'session.json is not as it was written' }],
    });
  });

  test('is not run where only how it was started is another; without that file it is, and that is told', async ({
    staying: room,
    hands,
  }) => {
    const argv = room.agents.argv('worker', 'leaves');
    const ran = await run(hands, room.wish({ argv, env: { TOKEN: 't' } }));
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    await room.agents.pid('worker');
    const result = await room.close(hands, await room.entry(hands, 'worker'), { isForced: true });
    if (result.state !== 'closed') throw new Error(JSON.stringify(result));
    const receipt = String(result.receipt.receipt);
    const path = join(String(result.receipt.archive), 'variables.json');
    const hacked = join(room.tmux.folder, 'hacked');
    const start = JSON.parse(readFileSync(path, 'utf8'));
    const edited = { ...start, program: '/bin/sh', argv: ['sh', '-c', `touch ${hacked}; exec sleep 1000`] };
    writeFileSync(path, JSON.stringify(edited));
    expect(await reopen({ room, hands }, receipt, true)).toMatchObject({ exit: 'refused' });
    expect(compared(hands).changed).toEqual([{ receipt, text: 'variables.json is not as it was written' }]);
    rmSync(path);
    expect(await reopen({ room, hands }, receipt)).toMatchObject({
      missing: ['its options and variables are not known: variables.json is not in its archive any more'],
    });
    expect(existsSync(hacked)).toBe(false);
  });

  test('is noticed in each of its files, and one that was removed is not called changed', async ({
    staying: room,
    hands,
  }) => {
    const { receipt, archive } = await closed({ room, hands });
    expect(compared(hands)).toEqual({ compared: 1, gone: 0, unsealed: 0, changed: [] });
    const texts = readdirSync(archive).filter((name) => name.endsWith('.txt'));
    const recorded = entriesOf(hands).find(({ kind }) => kind === 'receipt')?.body.digests;
    expect(Object.keys(recorded as object).sort()).toEqual(readdirSync(archive).sort());
    for (const name of texts) writeFileSync(join(archive, name), 'another screen');
    expect(compared(hands).changed).toHaveLength(texts.length);
    // What was shown is nobody's program: it stays possible to reopen.
    expect(await reopen({ room, hands }, receipt)).toMatchObject({ state: 'reopened' });
    rmSync(archive, { recursive: true });
    expect(compared(hands)).toMatchObject({ compared: 0, gone: 1, changed: [] });
  });

  test('is noticed also where its agent sleeps, and it is not woken', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const result = await room.close(hands, 'worker', { isToSleep: true });
    if (result.state !== 'asleep') throw new Error(JSON.stringify(result));
    expect(compared(hands)).toEqual({ compared: 1, gone: 0, unsealed: 0, changed: [] });
    const { didRun } = edit(String(result.receipt.archive), room);
    expect(compared(hands).changed).toHaveLength(1);
    const entry = await room.entry(hands, 'worker');
    expect(await wakeSession(hands, { entry, argv: ['test'] })).toMatchObject({ state: 'changed' });
    expect(didRun()).toBe(false);
  });

  test('of a version that recorded no digest is reopened only when somebody says so', async ({
    staying: room,
    hands,
  }) => {
    const { receipt, archive } = await closed({ room, hands });
    const entries = older(entriesOf(hands));
    expect(await reopen({ room, hands }, receipt, false, entries)).toMatchObject({
      exit: 'refused',
      text: expect.stringContaining(archive),
      hint: expect.stringContaining('--unsealed'),
    });
    expect(await reopen({ room, hands }, receipt, true, entries)).toMatchObject({
      state: 'reopened',
      missing: [expect.stringContaining('not compared')],
    });
  });

  test('says nothing in the receipt of a close whose actor was stopped', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const stopped = await room.hands({
      onStep: (step, when) => {
        if (step === 'receipt' && when === 'before') throw new Error('stopped');
      },
    });
    await expect(room.close(stopped, 'worker')).rejects.toThrow('stopped');
    const [id = ''] = readdirSync(join(room.state, 'rollcall', 'archive'));
    const { didRun } = edit(join(room.state, 'rollcall', 'archive', id), room);
    await recoverAll(hands);
    expect(receiptsIn(hands)).toEqual([id]);
    const body = entriesOf(hands).find(({ kind }) => kind === 'receipt')?.body;
    expect(JSON.stringify(body)).not.toContain('hacked');
    expect(body).toMatchObject({
      result: 'recovered',
      notes: expect.arrayContaining([expect.stringContaining('not as it was written')]),
    });
    expect(await reopen({ room, hands }, id)).toMatchObject({ exit: 'refused' });
    expect(didRun()).toBe(false);
  });
});
