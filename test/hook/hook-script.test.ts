import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { hasPrivateMounts, PRIVATE_MOUNTS } from '../support/private-mounts.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { until } from '../support/until.ts';
import { isReading } from './gate-room.ts';
import { plainScript } from './plain-script.ts';
import { SHELLS } from './shells.ts';

let root: string;
let spool: string;
let script: string;
beforeEach(() => {
  // Not below /dev, which some tests put something else in the place of.
  root = mkdtempSync(join(tmpdir(), 'rollcall-test-hook-'));
  install(join(root, 'spool'));
});
afterEach(() => removeFolder(root));

function install(folder: string): void {
  spool = folder;
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  script = join(root, 'hook');
  writeFileSync(script, plainScript(spool), { mode: 0o755 });
}

interface Ran {
  readonly status: number | null;
  readonly output: string;
  readonly ms: number;
}

const ended = (child: ChildProcess, from = performance.now()): Promise<Ran> =>
  new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output, ms: performance.now() - from }));
  });

const PATH = process.env.PATH;

function run(
  words: readonly string[],
  payload: string | Buffer,
  { shell = [] as readonly string[], env = {} as NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const [program = script, ...args] = [...shell, script, ...words];
  const child = spawn(program, args, { env: { PATH, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  // A hook that does not read all of it is no reason to fail.
  child.stdin?.on('error', () => {});
  child.stdin?.end(payload);
  return ended(child);
}

const silent = { status: 0, output: '' };
const files = () => readdirSync(spool);
function onlyFile(): { name: string; header: string[]; payload: Buffer; isWhole: boolean } {
  const [name = '', ...others] = files();
  expect(others).toEqual([]);
  const bytes = readFileSync(join(spool, name));
  const end = Buffer.from(`\nend=${name}\n`);
  const border = bytes.indexOf('\n\n');
  return {
    name,
    header: bytes.toString('utf8', 0, border).split('\n'),
    payload: bytes.subarray(border + 2, -end.length),
    isWhole: bytes.subarray(-end.length).equals(end),
  };
}

describe.each(SHELLS)('under $name', ({ words: shell }) => {
  it('writes one file with what it was told and where it was called', async () => {
    const env = {
      TMUX: '/tmp/tmux-1000/default,77,0',
      TMUX_PANE: '%3',
      CLAUDE_PID: '123',
      CLAUDE_CODE_SESSION_ID: 'one',
      GEMINI_SESSION_ID: 'two',
      CODEX_THREAD_ID: 'three',
    };
    expect(await run(['claude', 'Stop'], '{"a":1}\n', { shell, env })).toMatchObject(silent);
    const { header, payload, isWhole, name } = onlyFile();
    expect(header).toEqual([
      'rollcall-hook=1',
      'agent=claude',
      'event=Stop',
      expect.stringMatching(/^pid=\d+$/),
      `parent_pid=${process.pid}`,
      ...Object.entries(env).map(([key, value]) => `${key}=${value}`),
    ]);
    expect(payload.toString()).toBe('{"a":1}\n');
    expect(isWhole).toBe(true);
    expect(name).toMatch(/^\d{16}\.\d{10}\.\d+\.\d+$/);
    expect(statSync(join(spool, name)).mode & 0o777).toBe(0o600);
  });

  it('S57: keeps every byte of a payload that is no text', async () => {
    const payload = Buffer.from([...Array(256).keys(), 0, 0, 10, 10, 255]);
    expect(await run(['claude', 'Stop'], payload, { shell })).toMatchObject(silent);
    expect(onlyFile().payload).toEqual(payload);
  });

  it('S57: takes a payload of 10 MB, and ends one that has no end', async () => {
    const huge = Buffer.alloc(10_000_000, 'ä');
    expect(await run(['claude', 'Stop'], huge, { shell })).toMatchObject(silent);
    expect(onlyFile().payload.equals(huge)).toBe(true);
    rmSync(join(spool, onlyFile().name));
    const yes = spawn('sh', ['-c', 'yes | "$@"', 'sh', ...shell, script, 'claude', 'Stop'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await ended(yes)).toMatchObject(silent);
    expect(onlyFile().payload.length).toBeLessThanOrEqual(16 * 1024 * 1024);
  });

  it('does not wait for ever for an agent that keeps stdin open, and keeps what came', async () => {
    writeFileSync(script, plainScript(spool).replace('timeout 5', 'timeout 1'), { mode: 0o755 });
    const from = performance.now();
    const child = spawn(
      shell[0] ?? script,
      [...(shell.length > 0 ? [...shell.slice(1), script] : []), 'claude', 'Stop'],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    child.stdin.write('{"a":1}');
    const ran = await ended(child, from);
    child.stdin.destroy();
    expect(ran).toMatchObject(silent);
    expect(onlyFile()).toMatchObject({ payload: Buffer.from('{"a":1}'), isWhole: true });
  });

  it('is silent and succeeds with stdin closed, a folder as stdin, and stdout closed', async () => {
    const outcome = (redirections: string) =>
      execFileSync('sh', ['-c', `"$@" ${redirections}; echo $?`, 'sh', ...shell, script, 'claude', 'Stop'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    expect(outcome('<&- 2>&1')).toBe('0\n');
    expect(onlyFile()).toMatchObject({ payload: Buffer.from(''), isWhole: true });
    expect(outcome('</ 2>&1')).toBe('0\n');
    expect(outcome('>&- 2>&- <&-')).toBe('0\n');
    expect(files().length).toBe(2);
  });

  it('is silent and succeeds where there is no spool, and where it may not write', async () => {
    rmSync(spool, { recursive: true });
    expect(await run(['claude', 'Stop'], '{}', { shell })).toMatchObject(silent);
    writeFileSync(spool, '');
    expect(await run(['claude', 'Stop'], '{}', { shell })).toMatchObject(silent);
    rmSync(spool);
    mkdirSync(spool);
    chmodSync(spool, 0o500);
    // Root may write everywhere, unless it gives up its capabilities.
    const asAnyone = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
    const anyone = [...asAnyone, ...(shell.length === 0 && asAnyone.length > 0 ? ['sh'] : shell)];
    expect(await run(['claude', 'Stop'], '{}', { shell: anyone })).toMatchObject(silent);
    expect(files()).toEqual([]);
  });

  it('S57: drops a value with a line break, and refuses words that are none', async () => {
    const env = { TMUX: '/tmp/a\nevent=Forged,1,2', TMUX_PANE: '%1' };
    await run(['claude', 'Stop'], '{}', { shell, env });
    expect(onlyFile().header.slice(5)).toEqual(['TMUX_PANE=%1']);
    rmSync(join(spool, onlyFile().name));
    for (const words of [
      [],
      ['claude'],
      ['claude', ''],
      ['../x', 'Stop'],
      ['claude', 'a b'],
      ['claude', 'a\nb=c'],
    ]) {
      expect(await run(words, '{}', { shell })).toMatchObject(silent);
    }
    expect(await run(['claude', 'x'.repeat(65)], '{}', { shell })).toMatchObject(silent);
    expect(files()).toEqual([]);
  });

  it.runIf(hasPrivateMounts)(
    'S36: a full disk leaves no half file, in the header, the payload or the end',
    () => {
      const attempt = (freePages: number, payloadBytes: number) => {
        const probe = `mount -t tmpfs -o size=16k none "$0" && head -c ${(4 - freePages) * 4096} /dev/zero > "$0/fill"
        head -c ${payloadBytes} /dev/zero | "$@" claude Stop 2>&1
        echo $?; ls -A "$0"`;
        const [program = '', ...args] = [...PRIVATE_MOUNTS, 'sh', '-c', probe, spool, ...shell, script];
        return execFileSync(program, args, { encoding: 'utf8' }).trim().split('\n');
      };
      expect(attempt(1, 100)).toEqual(['0', expect.stringMatching(/^\d/), 'fill']);
      expect(attempt(0, 100)).toEqual(['0', 'fill']);
      expect(attempt(1, 20_000)).toEqual(['0', 'fill']);
      // Header and payload fit, the end does not.
      expect(attempt(1, 4_020)).toEqual(['0', 'fill']);
    },
  );

  const inOwnMounts = (preparation: string): string => {
    const probe = `${preparation}\nfor each in 1 2 3; do "$@" claude Stop </etc/hostname; echo $?; done`;
    const [program = '', ...args] = [...PRIVATE_MOUNTS, 'sh', '-ec', probe, 'sh', ...shell, script];
    const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    return stdout + stderr;
  };

  it.runIf(hasPrivateMounts)('is silent and succeeds without /dev/null', () => {
    expect(inOwnMounts('mount -t tmpfs -o ro none /dev')).toBe('0\n0\n0\n');
  });

  it.runIf(hasPrivateMounts)('finds names without /proc', () => {
    expect(inOwnMounts('mount -t tmpfs -o ro none /proc')).toBe('0\n0\n0\n');
    expect(files().filter((name) => name.startsWith('0000000000000000.')).length).toBe(3);
  });
});

it('calls no more than two programs', () => {
  const trace = join(root, 'trace');
  const tools = join(root, 'tools');
  mkdirSync(tools);
  for (const tool of ['timeout', 'dd', 'rm', 'mv', 'date', 'mktemp', 'cat', 'head', 'node']) {
    writeFileSync(
      join(tools, tool),
      `#!/bin/sh\necho ${tool} >> '${trace}'\nexec $(PATH=/usr/bin:/bin command -v ${tool}) "$@"\n`,
      {
        mode: 0o755,
      },
    );
  }
  const traced = join(root, 'traced');
  writeFileSync(traced, plainScript(spool).replace('PATH=/usr/bin:/bin', `PATH=${tools}`), { mode: 0o755 });
  execFileSync(traced, ['claude', 'Stop'], { input: '{}' });
  expect(readFileSync(trace, 'utf8')).toBe('timeout\ndd\n');
});

it('reads without a limit of time where there is no timeout', () => {
  const tools = join(root, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'dd'), '#!/bin/sh\nexec /bin/dd "$@"\n', { mode: 0o755 });
  const bare = plainScript(spool).replace(/^PATH=.*$/m, `PATH=${tools}`);
  writeFileSync(script, bare, { mode: 0o755 });
  execFileSync(script, ['claude', 'Stop'], { input: '{"a":1}' });
  expect(onlyFile()).toMatchObject({ payload: Buffer.from('{"a":1}'), isWhole: true });
});

it.each(["it's here", 'a "b" $HOME `id` \\ c', '-rf', 'ü\nline', "''"])(
  'finds a spool named %j',
  async (name) => {
    install(join(root, name));
    expect(await run(['claude', 'Stop'], '{}')).toMatchObject(silent);
    expect(onlyFile().isWhole).toBe(true);
  },
);

it('never overwrites the file of another event', async () => {
  const clash = plainScript(spool).replace(/^ {2}name=.*$/m, '  name=same');
  writeFileSync(script, clash, { mode: 0o755 });
  for (const payload of ['one', 'two', 'three']) await run(['claude', 'Stop'], payload);
  const payloads = files().map((name) => /\n\n(.*)\nend=/.exec(readFileSync(join(spool, name), 'utf8'))?.[1]);
  expect(payloads.sort()).toEqual(['one', 'three', 'two']);
});

it('reads nothing from a terminal', async () => {
  // By far longer than it takes on any machine, so that the end alone tells that it did not wait.
  writeFileSync(script, plainScript(spool).replace('timeout 5', 'timeout 500'), { mode: 0o755 });
  const child = spawn('script', ['-qec', `${script} claude Stop`, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ran = await ended(child);
  child.stdin.destroy();
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.ms).toBeLessThan(400_000);
  expect(onlyFile()).toMatchObject({ payload: Buffer.from(''), isWhole: true });
});

it('finishes although the terminal hangs up', async () => {
  const child = spawn(script, ['claude', 'SessionEnd'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const done = ended(child);
  child.stdin.write('{"a":');
  await until('it reads', () => isReading(child.pid));
  child.kill('SIGHUP');
  child.kill('SIGINT');
  child.stdin.end('1}');
  expect(await done).toMatchObject(silent);
  expect(onlyFile()).toMatchObject({ payload: Buffer.from('{"a":1}'), isWhole: true });
});

it.runIf(spawnSync('strace', ['-V']).status === 0)('looks at no other file of the spool', () => {
  for (const name of ['1', '2']) writeFileSync(join(spool, name), '');
  const { stderr } = spawnSync('strace', ['-f', '-e', 'trace=getdents,getdents64', script, 'a', 'b'], {
    input: '{}',
    encoding: 'utf8',
  });
  expect(stderr).toContain('exited with 0');
  expect(stderr).not.toContain('getdents');
  expect(files().length).toBe(3);
});
