import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasWorlds, World } from '../laws/world.ts';
import { ROLLCALL } from '../support/command.ts';
import { until } from '../support/until.ts';

// Marked values, each in the form in which such a secret comes.
const SECRETS = {
  variable: 'marked-variable-4f1d9c77',
  argument: 'marked-argument-8b02e6aa',
  settings: 'marked-settings-1c5e33f0',
  transcript: 'marked-transcript-77aa90d2',
};
const CONVERSATION = '3f0c1a52-9b1e-4c8f-8a55-0d6c2f7e9b11';

/** Where docs/SECURITY.md says that a secret may be: what reopens a session, and what restores a user's settings. */
const MAY_HOLD = [
  /^state\/rollcall\/archive\//,
  /^state\/rollcall\/hook-backups\//,
  /^state\/rollcall\/starts\//,
  /^state\/rollcall\/conversations\//,
];
/** The user's own files, which rollcall did not make. */
const OWN = [/^home\/\.claude\/settings\.json$/, /^home\/\.claude\/projects\//];

let world: World;
let lock: ReturnType<World['start']>;
const printed: string[] = [];
/** Command lines that held a secret at any moment; those of whoever was given it by the user are left out. */
const seen = new Set<string>();
let watch: NodeJS.Timeout;

async function rollcall(...argv: string[]): Promise<number | null> {
  const { exitCode, stdout, stderr } = await world.rollcall(argv);
  printed.push(`${argv[0]}: ${stdout}${stderr}`);
  return exitCode;
}

describe.skipIf(!hasWorlds)('a secret', () => {
  beforeAll(async () => {
    world = await World.open({ 'daemon.port': 0 });
    watch = setInterval(lookAtArguments, 10);
    const home = join(world.folder, 'home');
    const project = join(home, 'project');
    mkdirSync(project);
    const slug = project.replaceAll(/[^A-Za-z0-9]/g, '-');
    mkdirSync(join(home, '.claude', 'projects', slug), { recursive: true });
    const settings = { env: { ANTHROPIC_AUTH_TOKEN: SECRETS.settings } };
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings));
    const line = {
      type: 'user',
      sessionId: CONVERSATION,
      message: { role: 'user', content: SECRETS.transcript },
    };
    writeFileSync(
      join(home, '.claude', 'projects', slug, `${CONVERSATION}.jsonl`),
      `${JSON.stringify(line)}\n`,
    );
    mkdirSync(join(home, 'bin'));
    const claude = join(home, 'bin', 'claude');
    writeFileSync(
      claude,
      '#!/bin/bash\nwhile :; do read -r line || sleep 1; [ "$line" = /exit ] && exit; done\n',
      {
        mode: 0o755,
      },
    );

    // The very first call starts the tmux server, and whatever is in its arguments stays there.
    const variable = ['--env', `API_TOKEN=${SECRETS.variable}`];
    await rollcall(
      'run',
      '--name',
      'varied',
      '--cwd',
      project,
      ...variable,
      '--',
      ...world.agents.argv('varied', 'leaves'),
    );
    const secretArgument = ['--api-key', SECRETS.argument, `--token=${SECRETS.argument}`];
    await rollcall(
      'run',
      '--name',
      'argued',
      '--cwd',
      project,
      '--',
      claude,
      '--resume',
      CONVERSATION,
      ...secretArgument,
    );
    await rollcall('hooks', 'install', 'claude', '--yes');
    await rollcall('hooks', 'remove', 'claude', '--yes');
    await rollcall('hooks', 'install', 'claude', '--yes');
    lock = world.start([
      ...ROLLCALL.split(' '),
      'lock',
      '--project',
      project,
      '--',
      claude,
      ...secretArgument,
    ]);
    await until('the lock is held', async () =>
      (await world.rollcall(['lock', 'status'])).stdout.includes('project'),
    );
    await rollcall('up');
    for (const argv of [
      ...[
        ['roll'],
        ['--json'],
        ['explain', 'varied'],
        ['explain', 'argued'],
        ['explain', 'argued', '--json'],
      ],
      ...[
        ['status', '--json'],
        ['doctor'],
        ['doctor', '--json'],
        ['agents'],
        ['lock', 'status', '--json'],
        ['guard'],
      ],
      ...[
        ['hold', 'argued'],
        ['unhold', 'argued'],
        ['close', 'argued', '--force', '--yes'],
        ['complete', 'varied'],
      ],
      ...[
        ['close', 'varied', '--force', '--yes', '--json'],
        ['reopen', 'varied'],
        ['reopen', 'argued', '--json'],
      ],
      ...[['log'], ['log', '--json'], ['verify'], ['reap', 'report']],
    ]) {
      await rollcall(...argv);
    }
  });

  afterAll(async () => {
    clearInterval(watch);
    lock?.kill('SIGKILL');
    await world?.close();
  });

  test('is in nothing that rollcall prints', () => {
    expect(printed.filter(holds).map((text) => text.slice(0, 2000))).toEqual([]);
  });

  test('is in no argument of a process but of those that the user gave it to', () => {
    expect([...seen]).toEqual([]);
    // They have it.
    expect(world.processes().some(({ argv }) => argv.includes(SECRETS.argument))).toBe(true);
  });

  test('is in no file but where it is needed, and there for its owner only', () => {
    const found = filesBelow(world.folder).filter((path) => holds(textOf(path)));
    const names = found.map((path) => relative(world.folder, path)).filter((name) => !matches(OWN, name));
    expect(names.filter((name) => !matches(MAY_HOLD, name))).toEqual([]);
    expect(names.filter((name) => (lstatSync(join(world.folder, name)).mode & 0o777) !== 0o600)).toEqual([]);
    // Without it nothing could be reopened.
    expect(names.some((name) => name.includes('archive'))).toBe(true);
  });
});

function lookAtArguments(): void {
  for (const { argv } of world.processes()) {
    const words = argv.join(' ');
    // What the user gave to a program stands in its arguments, also while `env` is about to become that program.
    const isGiven = /\/rollcall\.cjs (?:run|lock) /.test(words) || AGENT.test(words);
    if (words.includes(SECRETS.variable) ? !words.includes('/rollcall.cjs run ') : holds(words) && !isGiven)
      seen.add(words);
  }
}

const AGENT = /^(?:\/usr\/bin\/env .*|\S*bash )\S*\/bin\/claude /;

// Copies of conversations, and old history, are compressed. What the daemon was just writing has another name by now.
function textOf(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isPacked ? gunzipSync(bytes) : bytes).toString('latin1');
}

function holds(text: string): boolean {
  return Object.values(SECRETS).some((secret) => text.includes(secret));
}

function matches(patterns: readonly RegExp[], name: string): boolean {
  return patterns.some((pattern) => pattern.test(name));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
