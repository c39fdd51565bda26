import { describe, expect, it } from 'vitest';
import { Machine } from './machine.ts';
import type { WrittenEnd } from './tmux-parts.ts';

const SOCKET = '/tmp/tmux-1000/default';

function shellRoom() {
  const machine = new Machine('tmux');
  const server = machine.startServer(SOCKET);
  const session = server.newSession({ name: 'work', argv: ['bash'], cwd: machine.home }, 'person');
  server.newSession({ name: 'other', argv: ['bash'], cwd: machine.home }, 'person');
  const pane = session.current.active;
  const shell = machine.shellIn(pane);
  if (shell === null) throw new Error('no shell runs there');
  return { machine, server, session, pane, shell };
}

describe('a simulated tmux', () => {
  it('hangs up what is in a session that it removes, and not what has left it', () => {
    const { machine, server, session, shell } = shellRoom();
    const job = shell.leave(['job'], 'person', 'job');
    const nohup = shell.leave(['survivor'], 'person', 'nohup');
    const setsid = shell.leave(['daemon'], 'person', 'setsid');
    const front = shell.run(['vim'], 'person');
    server.killSession(session, 'person');
    expect([shell.process, front, job, nohup, setsid].map((one) => machine.processes.isAlive(one))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(nohup).toMatchObject({ ppid: 1, tty: null });
    expect(server.isGone).toBe(false);
  });

  it('removes a pane with its program, keeps a dead one where it remains, and writes an end down first', async () => {
    const { machine, server, pane } = shellRoom();
    const written: WrittenEnd[] = [];
    const dead = server.split(pane, { argv: ['ends', '1000', '3'], cwd: '/' }, 'person');
    const recorded = server.split(pane, { argv: ['ends', '1000', '4'], cwd: '/' }, 'person');
    const plain = server.split(pane, { argv: ['ends', '1000', '0'], cwd: '/' }, 'person');
    server.setOption(dead, 'remain-on-exit', 'on', 'person');
    server.setOption(recorded, 'remain-on-exit', 'on', 'person');
    recorded.endHook = { kind: 'record', run: 'r1', isKept: false, write: (end) => written.push(end) > 0 };
    await machine.clock.runUntil(1001);
    expect([dead.isDead, recorded.isDead, server.panes.has(plain.id)]).toEqual([true, true, false]);
    await machine.clock.runUntil(2000);
    expect(written).toMatchObject([{ run: 'r1', status: 4, pid: recorded.process.pid }]);
    expect([server.panes.has(dead.id), server.panes.has(recorded.id)]).toEqual([true, false]);
  });

  it('comes back after a crash with ids from the beginning, and ends with its last session', () => {
    const { machine, server, session, shell } = shellRoom();
    server.crash('story');
    expect(machine.processes.isAlive(shell.process)).toBe(false);
    const again = machine.startServer(SOCKET);
    const next = again.newSession({ name: 'work', argv: ['bash'], cwd: machine.home }, 'person');
    expect([next.id, next.current.active.id]).toEqual([session.id, '%0']);
    expect(next.key).not.toBe(session.key);
    again.killSession(next, 'person');
    expect(machine.servers.has(SOCKET)).toBe(false);
  });

  it('notices nothing while it hangs, and everything afterwards', async () => {
    const { machine, server, session, shell } = shellRoom();
    server.setMood('hung', 'story');
    machine.processes.signal(shell.process, 'SIGKILL', 'person');
    expect(shell.process.state).toBe('Z');
    expect(session.isGone).toBe(false);
    server.setMood('well', 'story');
    expect(session.isGone).toBe(true);
    expect(machine.processes.find(shell.process)).toBeUndefined();
  });

  it('has the windows of grouped sessions go with the last of them', () => {
    const { server, session, pane } = shellRoom();
    const second = server.newGrouped(session, 'again', 'person');
    server.killSession(session, 'person');
    expect([second.isGone, pane.process.ending]).toEqual([false, null]);
    server.killSession(second, 'person');
    expect(pane.process.ending).toEqual({ signal: 'SIGHUP' });
  });
});
