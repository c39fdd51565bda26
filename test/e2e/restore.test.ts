import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { closeSession } from '../../src/engine/act/close/close-session.ts';
import { CLOSE_TIMINGS } from '../../src/engine/act/close/order.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { ROLLCALL } from '../support/command.ts';
import { hasPrivateMounts } from '../support/private-mounts.ts';
import { digestsOf, repositoryIn } from '../support/trees.ts';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

const test = base.extend<{ room: RestoreRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new RestoreRoom();
    await use(room);
    room.leave();
  },
});

const PANES = '#{session_name} #{window_index}.#{pane_index} #{window_name} #{pane_width}x#{pane_height}';

interface Shown {
  readonly name: string;
  readonly role: string | null;
  readonly task: string | null;
  readonly protections: readonly { readonly code: string }[];
}

async function shown(room: RestoreRoom, name: string): Promise<Shown | undefined> {
  const { sessions } = JSON.parse(await room.done('--json', ...room.server)) as {
    sessions: readonly Shown[];
  };
  return sessions.find((one) => one.name === name);
}

const codes = ({ protections }: Shown) => protections.map(({ code }) => code);

describe.concurrent('restore after a crash of the tmux server', () => {
  test('brings back windows, panes, conversations, claims, holds and open work, once', async ({ room }) => {
    const cwd = repositoryIn(room.tmux.folder);
    const tree = digestsOf(cwd);
    const one = await room.agent('one', '--role', 'worker', '--task', 'T-1', '--cwd', cwd);
    const two = await room.agent('two');
    await room.tmux.tmux('rename-window', '-t', '=one:', 'agent');
    await room.tmux.tmux('split-window', '-d', '-t', '=one:', 'sleep 1000');
    await room.tmux.tmux('new-window', '-d', '-n', 'logs', '-t', '=one:', 'tail -f /dev/null');
    await room.done('hold', room.at('two'), '--reason', 'mine');
    await room.done('retain', room.at('one'), '--for', '2h');
    await room.done('gate', 'start', room.at('one'), '--until', `file:${join(room.tmux.folder, 'done')}`);
    const before = await room.tmux.tmux('list-panes', '-a', '-F', PANES);
    await room.crash();

    const planned = await room.restore('--dry-run');
    expect(planned.sessions.map(({ name, result }) => [name, result]).sort()).toEqual([
      ['one', 'would-restore'],
      ['two', 'would-restore'],
    ]);
    expect(room.running()).toEqual([]);
    expect(await room.names()).toEqual([]);
    const status = JSON.parse(await room.done('status', '--json', ...room.server));
    expect(status.lost).toHaveLength(2);
    expect(await room.done('status', ...room.server)).toContain(
      '2 sessions were lost with their tmux server: rollcall restore',
    );

    const restored = await room.restoreAsUser('--yes');
    expect(restored.sessions.map(({ result }) => result)).toEqual(['restored', 'restored']);
    await until('both agents run', () => room.resumed().length === 2);
    expect(room.resumed()).toEqual([one, two].sort());
    expect(await room.tmux.tmux('list-panes', '-a', '-F', PANES)).toBe(before);
    expect(await shown(room, 'one')).toMatchObject({ role: 'worker', task: 'T-1' });
    expect(codes((await shown(room, 'two')) as Shown)).toContain('held');
    expect(codes((await shown(room, 'one')) as Shown)).toEqual(expect.arrayContaining(['retained']));
    const gates = JSON.parse(await room.done('gate', 'status', '--json'));
    const key = restored.sessions.find(({ name }) => name === 'one')?.session?.key;
    expect(JSON.stringify(gates)).toContain(String(key));
    expect(digestsOf(cwd)).toEqual(tree);

    expect(await room.restore('--yes')).toMatchObject({ exitCode: 0, sessions: [] });
    expect(room.resumed()).toEqual([one, two].sort());
    expect(room.starts().filter((line) => line.includes('fix it'))).toHaveLength(2);
    expect((await room.cli('restore', '--yes')).stdout).toBe('nothing is lost\n');
    await room.done('verify');
  });

  test('starts each at most once, by however many at the same time', async ({ room }) => {
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => room.agent(name)));
    await room.crash();
    const all = await Promise.all([1, 2, 3].map(() => room.restoreAsUser('--yes', '--parallel', '2')));
    expect(all.flatMap(({ sessions }) => sessions).filter(({ result }) => result === 'failed')).toEqual([]);
    await until('all agents run', () => room.resumed().length >= 3);
    expect(room.resumed()).toEqual([...ids].sort());
    expect(room.starts().filter((line) => line.includes('--resume'))).toHaveLength(3);
    expect((await room.names()).sort()).toEqual(['a', 'b', 'c']);
    await room.done('verify');
  });

  test('goes on in the conversation that was seen after a close that stopped', async ({ room }) => {
    const first = await room.agent('one');
    await room.tmux.tmux('split-window', '-d', '-t', '=one:', 'exec sleep 1000');
    const killed = await room.hands({
      onStep(step, when) {
        if (step === 'intent' && when === 'after') throw new Error('killed');
      },
    });
    const wish = { isForced: true, despite: [], isAutomatic: false };
    const told = { reason: null, argv: [], timings: CLOSE_TIMINGS, onProgress: () => {} };
    const entry = await room.entry(killed, 'one');
    await expect(closeSession(killed, { entry, wish, ...told })).rejects.toThrow('killed');
    await room.seen('one');
    const receipt = entriesOf(killed).find(({ kind }) => kind === 'receipt')?.body;
    expect(receipt).toMatchObject({ result: 'partial', agent: { conversation: first } });
    const later = crypto.randomUUID();
    await room.tmux.tmux('send-keys', '-t', '=one:.0', `clear ${later}`, 'Enter');
    await until('it is in another conversation', () => room.spoken(later));
    await room.seen('one');
    await room.crash();
    expect((await room.restore('--dry-run', ...room.server)).sessions).toMatchObject([
      { result: 'would-restore', conversation: later },
    ]);
  });

  test('goes on in the conversation that was seen last', async ({ room }) => {
    await room.agent('one');
    const later = crypto.randomUUID();
    await room.tmux.tmux('send-keys', '-t', '=one:', `clear ${later}`, 'Enter');
    await until('it is in another conversation', () => room.spoken(later));
    await room.seen('one');
    await room.crash();
    expect((await room.restore('--yes')).sessions).toMatchObject([
      { result: 'restored', conversation: later },
    ]);
    await until('it runs', () => room.resumed().length === 1);
    expect(room.resumed()).toEqual([later]);
  });

  test('twice in a row, and what somebody removed only by its name', async ({ room }) => {
    const id = await room.agent('one');
    await room.tmux.tmux('split-window', '-d', '-t', '=one:', 'sleep 1000');
    await room.seen('one');
    await room.crash();
    await room.restore('--yes');
    await until('it runs', () => room.resumed().length === 1);
    await room.crash();
    expect((await room.restoreAsUser('--yes')).sessions).toMatchObject([
      { result: 'restored', conversation: id },
    ]);
    await until('it runs again', () => room.resumed().length === 1);
    expect(await room.tmux.tmux('list-panes', '-s', '-t', '=one:')).toContain('\n');
    await room.tmux.session('stays');
    await room.tmux.tmux('kill-session', '-t', '=one');
    await until('it is gone', () => room.running().length === 0);
    expect(await room.restore('--yes')).toMatchObject({ sessions: [] });
    expect((await room.restore('one', '--yes')).sessions).toMatchObject([
      { result: 'restored', lostBy: 'missing' },
    ]);
    expect(await room.cli('restore', 'stays', '--yes', ...room.server)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("no session 'stays' is lost"),
    });
  });

  test('only what was seen within a time, and what fails keeps no other', async ({ room }) => {
    const gone = join(room.tmux.folder, 'gone');
    mkdirSync(gone);
    await room.agent('one');
    await room.done('run', '--name', 'two', ...room.server, '--cwd', gone, '--', 'sleep', '1000');
    await room.tmux.tmux('send-keys', '-t', '=two:', '', 'Enter');
    await room.crash();
    execFileSync('rmdir', [gone]);
    expect(await room.restore('--dry-run', '--since', '2099-01-01')).toMatchObject({ sessions: [] });
    const { exitCode, sessions } = await room.restore('--yes', '--programs', '--since', '2h');
    expect(exitCode).toBe(1);
    expect(Object.fromEntries(sessions.map(({ name, result }) => [name, result]))).toEqual({
      ...{ one: 'restored', two: 'failed' },
    });
    mkdirSync(gone);
    expect(await room.restore('--yes')).toMatchObject({
      exitCode: 0,
      sessions: [{ name: 'two', result: 'restored' }],
    });
    expect((await room.names()).sort()).toEqual(['one', 'two']);
  });

  test('an agent that ends at once leaves nothing behind, however often', async ({ room }) => {
    const id = await room.agent('one');
    await room.tmux.tmux('new-window', '-d', '-t', '=one:', '-n', 'beside', 'sleep 1000');
    await room.tmux.session('mine');
    await room.seen('one');
    await room.crash();
    const transcript = join(room.home, '.claude', 'projects', 'p', `${id}.jsonl`);
    renameSync(transcript, `${transcript}.aside`);
    await room.tmux.session('mine');
    for (const _ of [1, 2]) {
      expect(await room.restore('--yes')).toMatchObject({ exitCode: 1, sessions: [{ result: 'failed' }] });
      expect(await room.names()).toEqual(['mine']);
    }
    renameSync(`${transcript}.aside`, transcript);
    expect(await room.restore('--yes')).toMatchObject({ exitCode: 0, sessions: [{ windows: 2 }] });
    expect((await room.names()).sort()).toEqual(['mine', 'one']);
    expect(await room.tmux.tmux('list-windows', '-t', '=one', '-F', '#{window_name}')).toContain('beside');
  });

  test('says that it cannot tell where a server gives no answer', async ({ room }) => {
    await room.agent('one');
    const server = Number(await room.tmux.tmux('display-message', '-p', '#{pid}'));
    process.kill(server, 'SIGSTOP');
    const { exitCode, stdout, stderr } = await room.cli('restore', '--dry-run');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('cannot tell whether sessions are lost');
    expect(await room.restore('--yes')).toMatchObject({ exitCode: 1, sessions: [], problems: [{}] });
    process.kill(server, 'SIGCONT');
    await until('it answers', async () => (await room.restore('--dry-run')).exitCode === 0);
  });

  test('a session that was adopted, and one whose name was taken meanwhile', async ({ room }) => {
    const id = crypto.randomUUID();
    await room.tmux.session('mine', 'env', `HOME=${room.home}`, room.claude, '--session-id', id);
    await until('it can be heard', () => room.spoken(id));
    await room.done('adopt', room.at('mine'));
    await room.crash();
    await room.tmux.session('mine');
    const { sessions } = await room.restoreAsUser('--yes');
    expect(sessions).toMatchObject([{ result: 'restored', conversation: id, session: { name: 'mine-2' } }]);
    expect(sessions[0]?.missing.join()).toContain("its name was taken: it is called 'mine-2'");
  });

  test('asks before it starts anything, and needs --yes where nobody can be asked', async ({ room }) => {
    expect(await room.cli('restore')).toMatchObject({ exitCode: 0, stdout: 'nothing is lost\n' });
    await room.agent('one');
    await room.crash();
    expect(await room.cli('restore')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('look at it with --dry-run, then say --yes'),
    });
    expect(await room.cli('restore', '--yes', '--parallel', '0')).toMatchObject({ exitCode: 2 });
    expect(room.running()).toEqual([]);
    expect(await room.names()).toEqual([]);
  });

  test('a layout that is broken is ignored and told', async ({ room }) => {
    const id = await room.agent('one');
    await room.crash();
    const folder = join(room.state, 'rollcall', 'layouts');
    const [name = ''] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, name), '{"version":1');
    const { sessions } = await room.restore('--yes');
    expect(sessions).toMatchObject([{ result: 'restored', conversation: id }]);
    expect(sessions[0]?.missing.join()).toMatch(/how it was laid out is not known: .*it is not whole/);
    await room.done('close', room.at('one'), '--force');
    await until('its layout is let go of', () => readdirSync(folder).length === 0);
  });

  test('the daemon keeps layouts by itself, and offers once', async ({ room }) => {
    await room.agent('one');
    await room.done('up');
    try {
      await room.tmux.tmux('split-window', '-d', '-t', '=one:', 'sleep 1000');
      const folder = join(room.state, 'rollcall', 'layouts');
      const kept = () => {
        const [name] = existsSync(folder) ? readdirSync(folder).filter((one) => one.endsWith('.json')) : [];
        return name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
      };
      await until('the daemon has kept the new pane', () => kept().includes('"sleep 1000"'));
      await room.crash();
      const offers = async () => (await room.done('log', '--json')).split('"restore-offer"').length - 1;
      await until('it offers', offers, (number) => number > 0);
      await room.done('down');
      await room.done('up');
      expect(await offers()).toBe(1);
    } finally {
      await room.done('down');
    }
    expect((await room.restore('--yes')).sessions).toMatchObject([{ result: 'restored', panes: 2 }]);
  });
});

describe.skipIf(!hasPrivateMounts)('restore after a reboot', () => {
  test('brings back what another boot had', async ({ room }) => {
    const id = await room.agent('one');
    await room.done('hold', room.at('one'));
    await room.crash();
    const boot = join(room.tmux.folder, 'boot');
    writeFileSync(boot, readFileSync('/proc/sys/kernel/random/uuid', 'utf8'));
    const script = [
      `mount --bind ${boot} /proc/sys/kernel/random/boot_id`,
      `${ROLLCALL} restore --yes --json`,
      `${ROLLCALL} restore --yes --json`,
      `${ROLLCALL} --json`,
    ].join(' && ');
    const printed = execFileSync('unshare', ['-m', 'bash', '-c', script], {
      env: room.env,
      encoding: 'utf8',
    });
    await until('it runs', () => room.resumed().length === 1);
    expect(room.resumed()).toEqual([id]);
    expect(printed).toContain('"lostBy":"restarted"');
    expect(printed).toContain('"held"');
    expect(room.starts().filter((line) => line.includes('--resume'))).toHaveLength(1);
  });
});
