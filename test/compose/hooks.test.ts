import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeHookConfig } from '../../src/compose/hooks.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'rollcall-compose-hooks-'));
  mkdirSync(join(home, '.local/state'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const self = { node: '/opt/no de/node', program: '/opt/rollcall.cjs' };
const hookConfig = (own = self) => composeHookConfig({ HOME: home }, home, own);

it('the hooks ask this very rollcall at the end of a turn, and the folders that they use are made', async () => {
  const config = await hookConfig();
  const plan = config.plan('install', ['claude', 'codex', 'gemini', 'opencode'], 'user');
  expect(plan.problems).toEqual([]);
  expect(config.apply(plan).state).toBe('done');
  const gate = join(home, '.local/state/rollcall/gate');
  const script = readFileSync(join(home, '.local/share/rollcall/hook.sh'), 'utf8');
  for (const line of [
    `gate='${gate}'`,
    `node='${self.node}'`,
    `program='${self.program}'`,
    "  'claude Stop' | 'codex Stop' | 'gemini AfterAgent')",
  ]) {
    expect(script.split('\n')).toContain(line);
  }
  const plugin = readFileSync(join(home, '.config/opencode/plugin/rollcall.ts'), 'utf8');
  expect(plugin).toContain(`const program = ${JSON.stringify(self.program)}\n`);
  expect(statSync(join(gate, 'stops')).mode & 0o777).toBe(0o700);
  const limits = ['claude', 'codex', 'gemini'].map((agent) => {
    const file = agent === 'codex' ? '.codex/hooks.json' : `.${agent}/settings.json`;
    const { hooks } = JSON.parse(readFileSync(join(home, file), 'utf8'));
    return (hooks.Stop ?? hooks.AfterAgent)[0].hooks[0].timeout;
  });
  expect(limits).toEqual([300, 300, 300_000]);
  expect(config.status(['claude', 'opencode']).map(({ state }) => state)).toEqual(['installed', 'installed']);
});

it('of another rollcall they are outdated once that one is gone', async () => {
  const config = await hookConfig();
  config.apply(config.plan('install', ['claude'], 'user'));
  const [status] = (await hookConfig({ node: process.execPath, program: '/opt/other.cjs' })).status([
    'claude',
  ]);
  expect(status?.state).toBe('outdated');
});
