import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilClosed } from '../laws/people.ts';
import { hasWorlds, type SeenEntry, World } from '../laws/world.ts';
import { type Ran, ROLLCALL } from '../support/command.ts';
import { until } from '../support/until.ts';

interface Seen {
  readonly sessions: readonly SeenEntry[];
  readonly problems: readonly {
    readonly code: string;
    readonly text: string;
    readonly hint: string | null;
  }[];
}

let world: World;
let project: string;
let file: string;

const here = (...argv: string[]): Promise<Ran> =>
  world.run(['env', '-C', project, ...ROLLCALL.split(' '), ...argv]);

const BROKEN: readonly [string, string, () => void][] = [
  ['no JSON', 'is not valid JSON', () => writeFileSync(file, '{ "idleAfter": "2h", ')],
  ['an unknown key', 'is no setting', () => writeFileSync(file, '{"idleAftr":"hunter2"}')],
  ['a wrong type', 'is not a duration', () => writeFileSync(file, '{"idleAfter":[1]}')],
  ['a setting of the machine', 'may not be set', () => writeFileSync(file, '{"notify":{"perHour":9}}')],
  ['too much', 'at most 256 KiB', () => writeFileSync(file, ' '.repeat(300 * 1024))],
  ['a folder', 'is not a regular file', () => mkdirSync(file)],
  ['a pipe that nobody writes to', 'is not a regular file', () => execFileSync('mkfifo', [file])],
  ['a link to an endless device', 'is not a regular file', () => symlinkSync('/dev/zero', file)],
  ['a link to nothing', 'is a link to nothing', () => symlinkSync(join(project, 'nothing'), file)],
  ['a link to itself', 'cannot be read (ELOOP)', () => symlinkSync(file, file)],
  [
    'a link to a secret',
    'is not valid JSON',
    () => {
      writeFileSync(join(world.folder, 'home', 'secret'), 'hunter2');
      symlinkSync(join(world.folder, 'home', 'secret'), file);
    },
  ],
];

describe.skipIf(!hasWorlds)('a project file that is broken', () => {
  beforeAll(async () => {
    world = await World.open();
    project = join(world.folder, 'home', 'clone');
    file = join(project, '.rollcall.json');
    mkdirSync(join(project, 'part'), { recursive: true });
    mkdirSync(join(world.folder, 'home', 'clone-of-another'));
    const inFolder = (name: string, folder: string) =>
      world.tmux('new-session', '-d', '-s', name, '-c', folder, 'sleep', '100000');
    await inFolder('inside', join(project, 'part'));
    await inFolder('outside', join(world.folder, 'home', 'clone-of-another'));
  });
  afterAll(() => world?.close());

  it.each(BROKEN)('as %s ends no command, is told, and protects its sessions', async (_, text, breakIt) => {
    rmSync(file, { recursive: true, force: true });
    breakIt();
    const { exitCode, stdout, stderr } = await here('--json');
    expect([exitCode, stderr.split('\n').length]).toEqual([0, 2]);
    expect(stderr).toContain(file);
    expect(stderr).toContain(text);
    const { sessions, problems } = JSON.parse(stdout) as Seen;
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'project-config-broken', text: expect.stringContaining(text) }),
    );
    const codes = (name: string) =>
      sessions.find((one) => one.name === name)?.protections.map(({ code }) => code);
    expect(codes('inside')).toContain('project-config-broken');
    expect(codes('outside')).not.toContain('project-config-broken');
    const why = sessions.find(({ name }) => name === 'inside')?.protections.map((one) => one.text);
    expect(why?.join()).toContain(`${file}`);
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it.skipIf(process.getuid?.() !== 0)('of another user is broken too', async () => {
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, '{}');
    chownSync(file, 12345, 12345);
    const { exitCode, stderr } = await here('--json');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('belongs to another user (uid 12345)')]);
  });

  it('keeps nobody from working, and what is finished below it from being closed', async () => {
    rmSync(file, { recursive: true, force: true });
    await world.rollcall(['run', '--name', 'done', '--remain', '--cwd', project, '--', 'true']);
    await world.untilEnded('done');
    writeFileSync(file, '{ broken');
    expect((await here('complete', 'done')).exitCode).toBe(0);
    const lifecycle = async () => (await world.entry('done')).lifecycle;
    await until('it may be closed', lifecycle, (word) => word === 'safe-to-close');
    expect((await here('close', '--due')).exitCode).toBe(0);
    const refused = await here('close', 'done');
    expect([refused.exitCode, refused.stdout + refused.stderr]).toEqual([3, expect.stringContaining(file)]);
    expect(await world.names()).toContain('done');
    const explained = await here('config', 'explain');
    expect([explained.exitCode, explained.stdout]).toEqual([0, expect.stringContaining('not valid JSON')]);
    rmSync(file);
    await untilClosed(world, 'done');
  });

  it('is not the user’s own, which still ends the command with 2', async () => {
    rmSync(file, { recursive: true, force: true });
    const own = join(world.folder, 'own.json');
    writeFileSync(own, '{ broken');
    expect((await here('--config', own)).exitCode).toBe(2);
  });
});
