import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookRoom } from '../adapters/hook-config/hook-room.ts';
import { run } from '../cli/fake-outside.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const SECRET = '{"env":{"TOKEN":"sk-of-the-user"}}';
const local = () => join(room.project, '.claude/settings.local.json');
const hooks = (...argv: string[]) =>
  run(['hooks', ...argv], { cwd: room.project, hookConfig: async (_, cwd) => room.config({ cwd }) });

const KILLS = Number(process.env.ROLLCALL_KILLS ?? 12);

describe('backups', () => {
  it('lie in the state folder, for nobody else, and nothing lies beside the settings of a repository', () => {
    room.write(local(), SECRET, 0o644);
    const { applied } = room.do('install', ['claude'], 'project');
    expect(readdirSync(dirname(local()))).toEqual(['settings.local.json']);
    const [{ backup } = { backup: '' }] = applied.backups;
    expect(dirname(backup)).toBe(room.backups);
    expect([room.read(backup), room.mode(backup), room.mode(room.backups)]).toEqual([SECRET, 0o600, 0o700]);
    // Whoever looks into the folder sees which file it was.
    expect(backup.endsWith('%code%project%.claude%settings.local.json.20261115T080000Z')).toBe(true);
    room.do('remove', ['claude'], 'project');
    expect(readdirSync(dirname(local()))).toEqual(['settings.local.json']);
  });

  it('are ten of a file at the most, with the first', () => {
    room.write(local(), SECRET);
    for (let round = 0; round < 8; round += 1)
      for (const action of ['install', 'remove'] as const) room.do(action, ['claude'], 'project');
    expect(room.backupsOf(local())).toHaveLength(10);
    expect(room.read(room.backup(local(), '20261115T080000Z'))).toBe(SECRET);
  });

  it('of a path that is too long for a name are told apart by it', () => {
    const deep = (name: string) => join(room.project, 'x'.repeat(200), name.repeat(100));
    for (const name of ['a', 'b']) {
      const cwd = deep(name);
      mkdirSync(join(cwd, '.git'), { recursive: true });
      room.write(join(cwd, '.claude/settings.local.json'), `{"${name}":1}`);
      expect(room.do('install', ['claude'], 'project', { cwd }).applied.state).toBe('done');
      const [status] = room.config({ cwd }).status(['claude']).slice(1);
      expect(status?.backups.map((path) => room.read(path))).toEqual([`{"${name}":1}`]);
    }
  });

  it('are put back by the command that is printed, and listed by hooks status', async () => {
    room.write(local(), SECRET, 0o640);
    const { stdout } = await hooks('install', 'claude', '--project', '--yes');
    const command = /^To put it back: (.*)$/m.exec(stdout)?.[1] ?? 'false';
    const status = await hooks('status', 'claude', '--project');
    expect(status.stdout).toContain('The file as it was before each change:');
    expect(status.stdout).toContain(`To put the last one back: ${command}`);
    const { hooks: listed } = JSON.parse((await hooks('status', 'claude', '--json')).stdout);
    expect(listed[1].backups).toHaveLength(1);
    expect(spawnSync('sh', ['-c', command]).status).toBe(0);
    expect([room.read(local()), room.mode(local())]).toEqual([SECRET, 0o640]);
  });

  it('of earlier versions, beside the file, are named and left alone', async () => {
    const old = room.write(`${local()}.rollcall-backup-20260101T000000Z`, SECRET);
    const kept = room.write(`${local()}.rollcall-kept-12-ab`, SECRET);
    const half = room.write(`${local()}.rollcall-12-ab.tmp`, SECRET);
    const own = room.write(`${local()}.rollcall-backup-mine`, SECRET);
    room.write(local(), SECRET);
    await hooks('install', 'claude', '--project', '--yes');
    await hooks('remove', 'claude', '--project', '--yes');
    for (const path of [old, kept, half, own]) expect(room.read(path)).toBe(SECRET);
    const { stdout } = await hooks('status', 'claude');
    expect(stdout).toContain(`rm '${old}'`);
    expect(room.config().status(['claude'])[1]?.oldBackups).toEqual([half, old, kept]);
  });
});

describe('a call that is killed', () => {
  const USER = '\ufeff{\r\n\t"z": 1,\r\n\t"a": {"hooks": []}\r\n}';
  const SHARED = '/dev/shm';
  const isOtherDisk = existsSync(SHARED) && statSync(SHARED).dev !== statSync(tmpdir()).dev;
  let bundle: string;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-kill-'));
    bundle = join(folder, 'hook-config.cjs');
    const native = /fs-native-extensions/;
    const code = await rolldown({
      input: 'src/adapters/hook-config/hook-config.ts',
      platform: 'node',
      resolve: { mainFields: ['module', 'main'] },
      external: [/^node:/, native],
      logLevel: 'silent',
    });
    await code.write({ file: bundle, format: 'cjs' });
    await code.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs to its end, or to the moment; answers what it printed. */
  const killedAt = (home: string, backups: string, moment: number): Promise<string> =>
    new Promise((resolve) => {
      const script = join(import.meta.dirname, 'settings-kill.cjs');
      const argv = [script, bundle, home, backups, String(moment), 'claude,codex,opencode'];
      const env = { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules') };
      execFile(process.execPath, argv, { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
    });

  const partsOf = (home: string, backups: string) => ({
    ...{ env: { HOME: home, PATH: '/nowhere' }, cwd: home, backups: { folder: backups, kept: 10 } },
  });
  const again = (action: 'install' | 'remove', home: string, backups: string) => {
    const agents = ['claude', 'codex', 'opencode'] as const;
    const { applied } = room.do(action, agents, 'user', partsOf(home, backups));
    expect(applied).toMatchObject({ state: 'done', kept: [] });
  };

  it.each([
    // Each starts a Node; ROLLCALL_KILLS=40 tries as many as one wants to wait for.
    ['with everything on one disk', false, KILLS],
    ['with the state folder on another disk', true, Math.ceil(KILLS / 3)],
  ])('leaves every file whole, at each of many moments: %s', async (_where, isApart, moments) => {
    if (isApart && !isOtherDisk) return;
    const away = isApart ? mkdtempSync(join(SHARED, 'rollcall-kill-')) : null;
    const homes = Array.from({ length: moments + 1 }, (_, index) => {
      const home = join(room.root, `home-${index}`);
      const backups = join(away ?? join(home, '.local/state/rollcall'), `hook-backups-${index}`);
      return { home, backups, claude: room.write(join(home, '.claude/settings.json'), USER, 0o640) };
    });
    try {
      const [first, ...others] = homes;
      if (first === undefined) throw new Error('no home');
      const changes = Number(await killedAt(first.home, first.backups, -1));
      expect(changes).toBeGreaterThan(moments);
      const next = others.entries();
      const worker = async () => {
        for (const [index, { home, backups, claude }] of next) {
          const moment = 1 + Math.floor((index * changes) / moments);
          expect(await killedAt(home, backups, moment)).toBe('');
          const text = room.read(claude) ?? '';
          if (text !== USER) expect(text).toContain('/rollcall/hook.sh');
          expect(room.mode(claude)).toBe(0o640);
          if (!isApart) expect(room.names(dirname(claude))).toEqual(['settings.json']);
          const [status] = room.config(partsOf(home, backups)).status(['claude']);
          const left = [...room.names(dirname(claude)), ...room.names(backups)];
          const isLeft = left.some((name) => name.includes('settings.json.') && name.includes('new-'));
          expect(status?.notes.some((note) => note.includes('was killed left this'))).toBe(isLeft);
          // The next call clears up, and what it keeps is a file as it was.
          for (const action of ['install', 'remove'] as const) again(action, home, backups);
          expect([room.read(claude), room.mode(claude)]).toEqual([USER, 0o640]);
          expect(room.names(dirname(claude))).toEqual(['settings.json']);
          expect(room.names(home)).toEqual(['.claude', '.local']);
          expect(room.names(backups).filter((name) => name.includes('.new-'))).toEqual([]);
        }
      };
      // All of them have to end before their folders go, also when one fails.
      const ends = await Promise.allSettled([worker(), worker(), worker()]);
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    } finally {
      if (away !== null) rmSync(away, { recursive: true });
    }
  });
});
