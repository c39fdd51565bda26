import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainDocumentSchema, rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { statusDocumentSchema } from '../../src/contract/status-schema.ts';
import type { Failure, Rollcall, RollcallOptions } from '../../src/index.ts';
import { rollcall as command } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';

const tmux = new PrivateTmux('library');
const env = { ...tmux.env, HOME: tmux.folder, XDG_STATE_HOME: join(tmux.folder, 'state') };
let createRollcall: (options: RollcallOptions) => Promise<Rollcall>;
let rollcall: Rollcall;

beforeAll(async () => {
  // As it is installed.
  const built = new URL('../../dist/index.mjs', import.meta.url).href;
  ({ createRollcall } = (await import(/* @vite-ignore */ built)) as {
    createRollcall: typeof createRollcall;
  });
  mkdirSync(join(tmux.folder, 'project'));
  await tmux.session('build');
  rollcall = await createRollcall({ env, cwd: join(tmux.folder, 'project') });
});
afterAll(() => tmux.stop());

const failed = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Failure) => error,
  );

describe('the library', () => {
  test('has every operation as a method, and looks', async () => {
    for (const name of Object.keys(OPERATIONS)) expect(rollcall).toHaveProperty(name, expect.any(Function));
    const roll = await rollcall.roll();
    expect(v.parse(rollDocumentSchema, roll).sessions.map(({ name }) => name)).toEqual(['build']);
    const explained = await rollcall.explain({ session: 'build' });
    expect(v.parse(explainDocumentSchema, explained).session.evidence.length).toBeGreaterThan(0);
    const status = v.parse(statusDocumentSchema, await rollcall.status());
    expect([status.daemon.running, status.sessions.count]).toEqual([false, 1]);
    expect(await rollcall.log()).toMatchObject({ entries: [], head: { sequence: 0 }, damage: null });
    expect((await rollcall.look()).sessions[0]?.evidence.length).toBeGreaterThan(0);
  });

  test('does what the command does, and the command sees it', async () => {
    const held = await rollcall.hold({ session: 'build', reason: 'mine' });
    expect([held.result, held.protections.map(({ code }) => code)]).toEqual([
      'held',
      expect.arrayContaining(['held']),
    ]);
    const said = await command(['hold', 'build', '--reason', 'mine'], env);
    expect(said.stdout).toBe('build: held already: mine\n');
    const planned = await rollcall.close({ session: 'build', dryRun: true, despite: ['held'] });
    expect(planned.sessions[0]?.name).toBe('build');
    expect((await rollcall.unhold({ session: 'build' })).result).toBe('unheld');
  });

  test('refuses what the command refuses, with the same code', async () => {
    expect(await failed(rollcall.hold({ session: 'nobody' }))).toMatchObject({
      code: 'not-found',
      exitCode: 4,
    });
    const wrong = { session: 'build', force: 'no' } as unknown as { session: string };
    expect(await failed(rollcall.close(wrong))).toMatchObject({
      code: 'usage',
      message: 'close: force has to be true or false',
    });
    expect(await failed(rollcall.close({} as { session: string }))).toMatchObject({
      code: 'usage',
      message: 'close: session is missing',
    });
    const config = join(tmux.folder, 'none.json');
    expect(await failed(createRollcall({ env, config }))).toMatchObject({ code: 'usage' });
  });
});
