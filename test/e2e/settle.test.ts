import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { statusDocumentSchema } from '../../src/contract/status-schema.ts';
import { rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 120_000;
const BASH = ['env', 'PS1=$ ', 'HISTFILE=', 'bash', '--norc', '--noprofile', '-i'];

let tmux: PrivateTmux;
let agents: ScriptedAgents;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  tmux = new PrivateTmux('settle');
  agents = new ScriptedAgents(tmux.folder);
  env = install('own');
});
afterEach(async () => {
  await rollcallInside(['down'], env);
  tmux.stop();
});

/** An install with a ledger and settings of its own; the reaper stays in shadow. */
function install(name: string): NodeJS.ProcessEnv {
  const config = join(tmux.folder, name, 'config');
  mkdirSync(join(config, 'rollcall'), { recursive: true });
  const settings = {
    ...{ confirmFor: '1s', startingFor: '0s', daemon: { port: 0 } },
    roles: {
      i: { onComplete: 'close-after-idle' },
      reviewed: { retainFor: '1h' },
      kept: { onComplete: 'keep' },
    },
  };
  writeFileSync(join(config, 'rollcall/config.json'), JSON.stringify(settings));
  return { ...tmux.env, XDG_STATE_HOME: join(tmux.folder, name, 'state'), XDG_CONFIG_HOME: config };
}

/** What prepares the scene and asks again and again needs no process of its own. */
const done = (argv: readonly string[], own = env) => doneBy(rollcallInside, argv, own);
const doneAsUser = (argv: readonly string[]) => doneBy(rollcall, argv, env);

async function doneBy(
  run: typeof rollcall,
  argv: readonly string[],
  own: NodeJS.ProcessEnv,
): Promise<string> {
  const ran = await run(['--server', tmux.socketPath, ...argv], own);
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
  return ran.stdout;
}

async function worker(name: string, role: string, argv = agents.argv(name, 'leaves')): Promise<void> {
  await done(['run', '--name', name, '--role', role, '--cwd', tmux.folder, '--', ...argv]);
}

const names = async () =>
  (await tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '')).split('\n').sort();
const status = async () => v.parse(statusDocumentSchema, JSON.parse(await done(['status', '--json'])));
const roll = async () => v.parse(rollDocumentSchema, JSON.parse(await done(['--json']))).sessions;

test('2, 8: a daemon closes what is complete without pressure, by its role, and says what is due when', async () => {
  await tmux.session('theirs');
  await worker('idle', 'i');
  await worker('shell', 'i', BASH);
  await worker('works', 'i');
  await worker('reviewed', 'reviewed');
  await worker('kept', 'kept');
  for (const name of ['idle', 'works', 'reviewed', 'kept']) await agents.pid(name);
  await agents.say('works', 'working');
  const all = ['idle', 'shell', 'works', 'reviewed', 'kept'];
  for (const name of all) await done(['complete', name]);
  const why = async () => (await roll()).find(({ name }) => name === 'works')?.reasons[0]?.text;
  expect(await why()).toMatch(/^declared complete .* ago; it may be closed after this turn$/);
  expect(await done(['status'])).toContain('no daemon runs: nothing is closed by itself');
  await doneAsUser(['up']);
  await until('what is due is closed', names, (left) => left.length === 4, PATIENCE_MS);
  expect(await names()).toEqual(['kept', 'reviewed', 'theirs', 'works']);
  const { due, supervision } = await until('it says what is due', status, (told) => told.due.length === 2);
  expect(supervision).toMatchObject({ settle: 'on', reaper: { mode: 'shadow' } });
  expect(Object.fromEntries(due.map(({ name, state, dueAt }) => [name, [state, dueAt !== null]]))).toEqual({
    ...{ works: ['working', false], reviewed: ['later', true] },
  });
  expect(await doneAsUser(['status'])).toContain('the daemon closes them by itself when they are due');
  expect(await why()).toMatch(/^declared complete .* ago; it shuts down after this turn$/);
  // Each can be put back.
  expect(await done(['log'])).toMatch(/close.*idle/);
  await doneAsUser(['reopen', 'idle']);
  expect(await names()).toContain('idle');
  // Once its turn is over the last one goes.
  await agents.say('works', 'idle');
  await until('it shuts down', names, (left) => !left.includes('works'), PATIENCE_MS);
  await done(['verify']);
});

test('S60: two installs on one tmux server settle only what each of them started', async () => {
  const other = install('other');
  await worker('mine', 'i');
  const theirs = ['run', '--name', 'theirs', '--role', 'i', '--cwd', tmux.folder, '--'];
  await done([...theirs, ...agents.argv('theirs', 'leaves')], other);
  await Promise.all(['mine', 'theirs'].map((name) => agents.pid(name)));
  for (const name of ['mine', 'theirs']) for (const own of [env, other]) await done(['complete', name], own);
  await done(['up']);
  await until('its own is closed', names, (left) => left.join() === 'theirs', PATIENCE_MS);
  const rounds = async () => (await status()).supervision?.rounds ?? 0;
  const seen = await rounds();
  await until('it went on looking', async () => (await rounds()) > seen + 1);
  expect((await status()).due).toEqual([]);
  expect(await names()).toEqual(['theirs']);
  const log = await done(['log', '--json']);
  expect(log).not.toMatch(/"action":"close","session":\{"key":"[^"]*","name":"theirs"/);
});
