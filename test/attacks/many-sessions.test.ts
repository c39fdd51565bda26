import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasWorlds, type SeenEntry, World } from '../laws/world.ts';

const SERVERS = 30;
// Each is a process; ROLLCALL_MANY=66 makes two thousand.
const PER_SERVER = Number(process.env.ROLLCALL_MANY ?? 10);
/** Names that mean something else to tmux, to a shell, to a pattern or to a terminal, and neighbours of each other. */
const ODD = [
  ...[
    'agent-1',
    'agent-10',
    'agent-1*',
    '=agent-1',
    '$0',
    '@0',
    '%0',
    '{last}',
    '+',
    '!',
    '~',
    '-t',
    '--',
    '-',
  ],
  ...['a b', "a'b", 'a"b', 'a;b', 'a\\;b', '$(id)', '`id`', '#{pid}', '#(id)', '%if', '[ab]', '?', '*', '{}'],
  ...[
    '\u202eevil',
    '名前',
    'é',
    'e\u0301',
    '👩‍💻',
    'x'.repeat(200),
    'A',
    'a',
    '0',
    'null',
    '__proto__',
    'constructor',
  ],
];

let world: World;
const labels = Array.from({ length: SERVERS }, (_, index) => `s${index}`);
const namesOn = (label: string) =>
  label === 's0' ? ODD : Array.from({ length: PER_SERVER }, (_, index) => `${label}-agent-${index}`);

describe.skipIf(!hasWorlds)('sessions on thirty servers, of every name', () => {
  beforeAll(async () => {
    world = await World.open();
    await fill('s0');
  });
  afterAll(() => world?.close());

  test('S1, S9: the one that is named is meant, and none of its neighbours', async () => {
    const before = await namesOf('s0');
    const close = (name: string) => world.rollcall(['close', name, '--server', 's0', '--force', '--yes']);
    expect((await close('agent-1')).exitCode).toBe(0);
    expect(await namesOf('s0')).toEqual(before.filter((name) => name !== 'agent-1'));
    expect((await close('agent-2')).exitCode).toBe(4);
    expect(await namesOf('s0')).toHaveLength(before.length - 1);
  });

  test('S9: each is told once, on its own server, with an identity of its own', async () => {
    for (const label of labels.slice(1)) await fill(label);
    const { sessions, problems } = await world.json<{ sessions: OnServer[]; problems: unknown[] }>([]);
    expect(problems).toEqual([]);
    expect(new Set(sessions.map(({ key }) => key)).size).toBe(sessions.length);
    for (const label of labels) {
      const told = sessions.filter(({ server }) => server.label === label).map(({ name }) => name);
      expect(told).toHaveLength(label === 's0' ? ODD.length - 1 : PER_SERVER);
      if (label !== 's0') expect(told.sort()).toEqual(namesOn(label).sort());
    }
  });
});

interface OnServer extends SeenEntry {
  readonly server: { readonly label: string };
}

/** Makes all sessions of a server in one call. */
async function fill(label: string): Promise<void> {
  const file = join(world.folder, 'tmp', label);
  const lines = namesOn(label).map(
    (name) => `new-session -d -x 80 -y 5 -s ${quoted(name)} "exec sleep 1000"`,
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  await world.tmux('-L', label, 'start-server', ';', 'source-file', file);
}

async function namesOf(label: string): Promise<string[]> {
  return (await world.tmux('-L', label, 'list-sessions', '-F', '#{session_name}')).split('\n');
}

/** A name as a word of a tmux configuration file; `#` begins a format there. */
function quoted(name: string): string {
  return `'${name.replaceAll('#', '##').replaceAll("'", `'"'"'`)}'`;
}
