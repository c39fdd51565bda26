import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { actuatorFor, targetOf, termsOf } from '../adapters/tmux/act/act-room.ts';
import { openStartRoom } from '../adapters/tmux/act/start-room.ts';
import { sensorOf, tableOf } from '../adapters/tmux/look.ts';
import { until } from '../support/until.ts';

const room = openStartRoom();

/** What a program prints to fill a title, by what it is made of. */
const FILLINGS = {
  letters: "head -c 900000 /dev/zero | tr '\\0' a",
  'wide letters': "yes 会 | tr -d '\\n' | head -c 900000",
  'letters without a width': "printf e; yes \u0301 | tr -d '\\n' | head -c 800000",
  hashes: "head -c 900000 /dev/zero | tr '\\0' '#'",
  styles: "yes '#[fg=red]' | tr -d '\\n' | head -c 900000",
} as const;

async function titled(name: string, filling: string): Promise<void> {
  const script = `printf '\\033]2;'; ${filling}; printf '\\007'; exec sleep 1000`;
  await room.tmux.session(name, 'sh', '-c', script);
  await until(
    `${name} has its title`,
    () => room.ask(`=${name}:`, '#{n:pane_title}'),
    (length) => Number(length) > 500_000,
  );
}

/** A look, and how many bytes tmux printed for it. */
async function look() {
  let bytes = 0;
  const counting = (file: string, argv: readonly string[], options: SpawnOptions): ChildProcess => {
    const child = spawn(file, argv, options);
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    return child;
  };
  const sensor = sensorOf({ onlySockets: [room.tmux.socketPath], asksPath: true, spawn: counting });
  const [sighting] = await sensor.sense(() => tableOf());
  if (sighting?.state !== 'present') throw new Error(JSON.stringify(sighting));
  const session = (name: string) => {
    const found = sighting.sessions.find((one) => one.name === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  return { sighting, bytes, session, pane: (name: string) => session(name).panes[0] };
}

describe('titles of a megabyte', () => {
  it('cost a look next to nothing, and leave the neighbours known', async () => {
    await room.tmux.session('neighbour', 'sleep', '1000');
    await room.tmux.tmux('select-pane', '-t', '=neighbour:', '-T', 'my title');
    for (const [name, filling] of Object.entries(FILLINGS)) await titled(name, filling);
    const { bytes, sighting, pane } = await look();
    expect(bytes).toBeLessThan(100_000);
    expect(sighting.sessions.length).toBe(6);
    expect(pane('neighbour')?.title).toBe('my title');
    for (const name of Object.keys(FILLINGS)) expect(pane(name)?.title, name).toMatch(/…$/);
    expect(pane('letters')?.title).toMatch(/^a{1000}/);
  });
});

describe('other texts of a stranger', () => {
  const long = 'x'.repeat(100_000);

  it('a name, a start command and a mark that are too long are told in part, and as such', async () => {
    const started = await room.started({ name: long, argv: ['sh', '-c', 'exec sleep 1000', long] });
    await room.tmux.tmux('set-option', '-t', started.sessionId, '@rollcall_held', long.slice(0, 10_000));
    const { bytes, sighting } = await look();
    expect(bytes).toBeLessThan(50_000);
    const [session] = sighting.sessions;
    expect(session?.name).toMatch(/^x+…$/);
    expect(session?.heldMark).toBe('held');
    expect(session?.panes[0]?.startCommand).toMatch(/^\/usr\/bin\/env .*…$/);
  });

  it('a path that is too long is not known, and never the same as another that begins alike', async () => {
    const options = ['remain-on-exit', 'on'];
    await room.tmux.session('stays', 'sleep', '1000');
    await room.tmux.tmux('set-option', '-g', ...options);
    const ids = await Promise.all(
      ['a', 'b'].map(async (end) => {
        const { sessionId } = await room.tmux.session(end, 'true');
        await room.tmux.tmux(
          'respawn-pane',
          '-k',
          '-t',
          sessionId,
          '-c',
          `/${'p'.repeat(5000)}${end}`,
          'true',
        );
        await until(
          'it has ended',
          async () => {
            await room.tmux.tmux('run-shell', '-b', 'true');
            return room.ask(sessionId, '#{pane_dead}');
          },
          (dead) => dead === '1',
        );
        return sessionId;
      }),
    );
    const { sighting, bytes } = await look();
    expect(bytes).toBeLessThan(20_000);
    const panes = sighting.sessions
      .filter(({ sessionId }) => ids.includes(sessionId))
      .map(({ panes }) => panes[0]);
    expect(panes.map((pane) => [pane?.isDead, pane?.startPath])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  it('a group whose name is too long is never taken for a session that is alone', async () => {
    const { sessionId } = await room.started({ name: long });
    await room.tmux.tmux('new-session', '-d', '-s', 'second', '-t', sessionId);
    const { sighting } = await look();
    expect(sighting.sessions.flatMap(({ panes }) => panes.map((pane) => pane.isWindowShared))).toEqual([
      true,
      true,
    ]);
  });

  it('a window’s name of that length does not keep its layout from being read', async () => {
    const { paneId } = await room.started({});
    await titled('other', FILLINGS['letters without a width']);
    await room.tmux.tmux('rename-window', '-t', paneId, 'w'.repeat(10_000));
    const { session } = await targetOf(room.tmux, paneId);
    const layout = await room.actuator.layout(session);
    expect(layout?.map(({ name }) => name)).toEqual([`${'w'.repeat(1024)}…`]);
  });
});

describe('a program whose name is longer than what is compared', () => {
  it('is never taken for the same, and stands in the way of its own session only', async () => {
    const name = "$(head -c 100000 /dev/zero | tr '\\0' x)";
    const { paneId } = await room.started({ argv: ['bash', '-c', `exec -a "${name}" sleep 1000`] });
    await until(
      'tmux sees its name',
      () => room.ask(paneId, '#{n:pane_current_command}'),
      (length) => Number(length) > 10_000,
    );
    const actuator = actuatorFor(room.tmux);
    const { session } = await targetOf(room.tmux, paneId);
    const stanced = await actuator.stance(session);
    if (stanced.state !== 'seen') throw new Error(stanced.text);
    expect(JSON.stringify(stanced.stance.written).length).toBeLessThan(1000);
    expect(await actuator.confirm({ stance: stanced.stance, aside: new Set() })).toMatchObject({
      state: 'changed',
      text: expect.stringContaining('cannot be compared'),
    });
    expect(await actuator.confirm(await termsOf(actuator, session, 'motion'))).toEqual({ state: 'done' });
  });
});
