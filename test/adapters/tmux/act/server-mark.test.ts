import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeMark } from '../../../../src/adapters/tmux/act/server-mark.ts';
import { startSession } from '../../../../src/adapters/tmux/act/start-session.ts';
import { createTmuxActuator } from '../../../../src/adapters/tmux/act/tmux-actuator.ts';
import { createTmuxRunner, type RunTmux } from '../../../../src/adapters/tmux/run-tmux.ts';
import { startTicksOf } from '../../proc/real-processes.ts';
import { UID } from '../look.ts';
import { openStartRoom } from './start-room.ts';

const room = openStartRoom();
const place = { folder: '', tmuxPath: '/usr/bin/tmux', programPath: '/nowhere' };

beforeEach(() => {
  // Nothing of this may mean anything to the shell or to tmux.
  place.folder = join(room.tmux.folder, `it's "mine" #{pid} $HOME #(touch oops) 100%`, 'ends');
  mkdirSync(dirname(place.folder));
});

async function start() {
  const actuator = createTmuxActuator({ env: room.tmux.env, uid: UID, ends: place });
  const answer = await actuator.startSession(room.tmux.socketPath, room.wish());
  if (answer.state !== 'started') throw new Error(`${answer.state}: ${answer.text}`);
  return answer.server;
}

describe('when the server of a started session began', () => {
  it('is told by the server itself, and nothing of that is left', async () => {
    const server = await start();
    expect(server.startTicks).toBe(startTicksOf(server.pid));
    expect(readdirSync(place.folder)).toEqual([]);
  });

  it('is not told where it cannot be written down, and nobody’s pane shows why', async () => {
    await room.tmux.session('other', 'sleep', '1000');
    writeFileSync(place.folder, 'in the way');
    expect(await start()).not.toHaveProperty('startTicks');
    expect(await room.tmux.tmux('list-panes', '-a', '-F', '#{pane_in_mode}')).toBe('0\n0');
  });

  it('is told also where tmux misses the end of that shell until another program ends', async () => {
    const { env, socketPath } = room.tmux;
    const run = createTmuxRunner({ env, timeoutMs: 20_000 });
    let nudged = () => {};
    const isNudged = new Promise<void>((resolve) => {
      nudged = resolve;
    });
    let nudges = 0;
    const missing: RunTmux = async (path, command, bounds) => {
      const isStart = command.includes('source-file');
      const ended = await run(path, command, bounds);
      if (isStart) await isNudged;
      else if (command[0] === 'run-shell' && ended.ended === 'exit' && ended.code === 0) {
        nudges += 1;
        // One may be missed as well.
        if (nudges === 2) nudged();
      }
      return ended;
    };
    const reach = { run: missing, uid: UID, timeoutMs: 20_000, folderProblem: () => null, ends: place };
    const started = await startSession(reach, socketPath, room.wish());
    expect(started).toMatchObject({ state: 'started' });
    expect(nudges).toBeGreaterThanOrEqual(2);
  });

  it('counts only where processes have the same numbers as here', () => {
    mkdirSync(place.folder);
    const told = (text: string) => {
      writeFileSync(join(place.folder, 'run.server'), text);
      return takeMark(place, 'run');
    };
    expect(told(`123 ${readlinkSync('/proc/self/ns/pid')}`)).toBe(123);
    expect(told('123 pid:[1]')).toBeNull();
    expect(told('123 ')).toBeNull();
    expect(told(` ${readlinkSync('/proc/self/ns/pid')}`)).toBeNull();
    expect(takeMark(place, 'run')).toBeNull();
  });

  it('is not told where something else is in the place of the file, and nobody waits for that', () => {
    mkdirSync(join(place.folder, 'folder.server'), { recursive: true });
    execFileSync('mkfifo', [join(place.folder, 'fifo.server')]);
    expect([takeMark(place, 'folder'), takeMark(place, 'fifo')]).toEqual([null, null]);
    expect(readdirSync(place.folder)).toEqual(['folder.server']);
  });
});
