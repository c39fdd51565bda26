import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasWorlds, type Inhabitant, World } from '../laws/world.ts';
import { ROLLCALL } from '../support/command.ts';
import { until } from '../support/until.ts';
import { asStranger, tryEverything } from './stranger.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
// Names that somebody could guess, in the one folder where everybody may make files.
const SQUATTED = ['rollcall', 'rollcall-0', 'rollcall.sock', 'tmux-0', 'rollcall-demo', 'rollcall.lock'];
const OWN_FOLDERS = ['state', 'config', 'data', 'cache', 'run', 'tmux', 'tmp', 'home'];
// What is the stranger's own, and what may be read by everybody: the settings as the user made them, and our hook script.
const OPEN = [
  /^reads \S+\/(?:config\/rollcall\/config\.json|data\/rollcall\/hook\.sh)$/,
  /^makes a file in \S+\/tmp$/,
  new RegExp(`/tmp/(?:stranger|${SQUATTED.join('|').replaceAll('.', '\\.')})$`),
];

let world: World;
let stranger: string;
let outer: string;
let lock: ReturnType<World['start']>;

describe.skipIf(!hasWorlds || !isRoot)('S55: another user of the machine', () => {
  beforeAll(async () => {
    // Not below the folder of the tests, which nobody else can enter anyway: only rollcall's own care counts.
    outer = mkdtempSync(join(tmpdir(), 'rc-'));
    process.env.ROLLCALL_TEST_FOLDER = outer;
    world = await World.open({ 'daemon.port': 0 });
    for (const folder of [outer, world.folder]) chmodSync(folder, 0o755);
    chmodSync(join(world.folder, 'tmp'), 0o1777);
    stranger = join(world.folder, 'stranger');
    mkdirSync(stranger);
    chownSync(stranger, NOBODY, NOBODY);
    await asStranger(
      world,
      'for (const name of process.argv.slice(1)) require("node:fs").mkdirSync(name, { mode: 0o777 })',
      ...SQUATTED.map((name) => join(world.folder, 'tmp', name)),
    );

    // The owner's habits are the worst: whatever they make is open to everybody unless rollcall sees to it.
    const umask = process.umask(0);
    try {
      await world.ended('closed');
      await world.session('works', 'bash', '-c', 'while :; do sleep 1; done');
      for (const argv of [
        ['close', 'closed'],
        ['hold', 'works'],
        ['retain', 'works', '--for', '1h'],
        ['up'],
        ['hooks', 'install', 'claude', '--yes'],
        ['demo', '--json'],
        ['doctor'],
      ]) {
        const { exitCode, stdout, stderr } = await world.rollcall(argv);
        if (exitCode !== 0 && argv[0] !== 'doctor') throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
      }
      mkdirSync(join(world.folder, 'home', 'project'), { mode: 0o755 });
      const project = ['--project', join(world.folder, 'home', 'project')];
      lock = world.start([...ROLLCALL.split(' '), 'lock', ...project, '--', 'sleep', '1000']);
      // Whoever takes the lock names this program too; it runs once the lock is held.
      const isProgram = ({ argv }: Inhabitant) => argv.join(' ') === 'sleep 1000';
      await until('the lock is held', () => world.processes().some(isProgram));
    } finally {
      process.umask(umask);
    }
  });

  afterAll(async () => {
    lock?.kill('SIGKILL');
    await world?.close();
    if (outer !== undefined) rmSync(outer, { recursive: true, force: true });
  });

  test('S55: reads nothing, changes nothing and stops nothing', async () => {
    const roots = OWN_FOLDERS.map((name) => join(world.folder, name));
    const before = marksBelow(roots.filter((path) => !path.endsWith('/tmp')));
    expect(before.size).toBeGreaterThan(30);
    const alive = world.processes().map(({ pid }) => pid);

    const { files, processes } = await tryEverything(world, stranger, roots);
    expect([...files.filter((one) => !OPEN.some((open) => open.test(one))), ...processes]).toEqual([]);

    const after = marksBelow(roots.filter((path) => !path.endsWith('/tmp')));
    expect([...before].filter(([path, mark]) => after.get(path) !== mark)).toEqual([]);
    const daemon = world.find(' up ');
    expect(alive).toContain(daemon?.pid);
    expect((await world.json<{ daemon: { running: boolean } }>(['status'])).daemon.running).toBe(true);
    expect((await world.rollcall(['lock', 'status'])).stdout).toMatch(/project/);
  });

  test('S55: who took names in the shared folder first gains nothing', () => {
    const taken = readdirSync(join(world.folder, 'tmp')).filter((name) => name.endsWith('.stranger'));
    expect(taken).toHaveLength(SQUATTED.length);
    // They moved them away themselves; nobody had put anything in.
    for (const name of taken) expect(readdirSync(join(world.folder, 'tmp', name))).toEqual(['stranger']);
  });
});

/** What the daemon is just writing: it comes and goes while it runs. */
const PASSING = /\.tmp$|-(?:wal|shm|journal)$/;

/** Kind, rights and owner of every other file, which nothing that runs here changes once it is made. */
function marksBelow(roots: readonly string[]): Map<string, string> {
  const marks = new Map<string, string>();
  for (const path of roots) {
    const { mode, uid } = lstatSync(path);
    marks.set(path, `${mode.toString(8)} ${uid}`);
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => !PASSING.test(one))) {
      const entry = lstatSync(join(path, name), { throwIfNoEntry: false });
      if (entry !== undefined) marks.set(join(path, name), `${entry.mode.toString(8)} ${entry.uid}`);
    }
  }
  return marks;
}
