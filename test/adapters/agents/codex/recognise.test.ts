import { describe, expect, test } from 'vitest';
import { codexCommand, folderOf, isCodex } from '../../../../src/adapters/agents/codex/command-line.ts';

const NATIVE = '/opt/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex';
const DAEMON =
  '/home/dev/.codex/packages/app-server-daemon/releases/0.166.0-x86_64-unknown-linux-musl/bin/codex';
const ID = '01a1de19-5a2e-7862-bb4d-a0b831e2e157';

describe('Codex is', () => {
  test.each([
    [['codex']],
    [[NATIVE]],
    [[NATIVE, '--no-daemon']],
    [['node', '/usr/lib/node_modules/.bin/codex']],
    [['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js', '-m', 'o3', 'exec the plan']],
    [[NATIVE, 'resume', ID]],
    [[NATIVE, '-c', 'tui.animations=false', 'fork', '--last']],
    [[NATIVE, '--config', 'model="exec"', 'fix the exec test']],
    [[NATIVE, '--', 'exec']],
  ])('%j', (argv) => expect(isCodex(argv)).toBe(true));
});

describe('S8: Codex is not', () => {
  test.each([
    [[DAEMON, 'app-server', '--listen', 'unix://', '--managed-daemon']],
    [[DAEMON, 'app-server', 'daemon', 'pid-update-loop']],
    [['/home/dev/.codex/tmp/arg0-linux/codex-arg0FZNwG5/codex-linux-sandbox', '--sandbox-policy-cwd', '/x']],
    [['codex', 'exec', 'do it']],
    [['codex', '-m', 'o3', 'exec', 'do it']],
    [['codex', '--config=a=1', 'e', 'do it']],
    [['node', '/usr/lib/node_modules/.bin/codex', 'mcp', 'list']],
    [['codex', 'queue', '--thread', ID, '--message', 'go on']],
    [['codex', 'update']],
    [['codex', '--version']],
    [['vim', 'codex']],
    [['vim', '/home/dev/codex/codex.js']],
    [['node', '/home/dev/codex/server.js']],
    [['democodex']],
    [[]],
  ])('%j', (argv) => expect(isCodex(argv)).toBe(false));
});

test('a command line tells what it was started with', () => {
  const command = codexCommand([
    'codex',
    '-C',
    'sub',
    '-cmodel=o3',
    '-c',
    'tui.animations=false',
    'resume',
    ID,
  ]);
  expect(command).toMatchObject({ first: 'resume', resumes: ID, folder: 'sub', isRemote: false });
  expect([...(command?.overrides ?? [])]).toEqual([
    ['model', 'o3'],
    ['tui.animations', 'false'],
  ]);
  expect(command && folderOf(command, '/home/dev')).toBe('/home/dev/sub');
  expect(command && folderOf(command, undefined)).toBeUndefined();
  expect(codexCommand(['codex', 'resume', 'my session'])?.resumes).toBeUndefined();
  expect(codexCommand(['codex', '--remote', 'ws://x', '--no-daemon'])).toMatchObject({
    isRemote: true,
    isWithoutDaemon: true,
  });
});
