import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStirring } from '../../../src/adapters/daemon/stirring.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { entry, NOW } from '../../cli/render/samples.ts';
import { roundOf } from './daemon-samples.ts';

const SERVER = 100;
const PROGRAM = 200;
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stirring-'));
  mkdirSync(join(root, 'pts'));
  terminal('1');
  turns(5, 1);
  cpu('0 0');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (pid: number, file: string, text: string) => {
  mkdirSync(join(root, 'proc', String(pid)), { recursive: true });
  writeFileSync(join(root, 'proc', String(pid), file), text);
};
const turns = (own: number, forced: number, name = 'tmux: server') =>
  put(
    SERVER,
    'status',
    `Name:\t${name}\nvoluntary_ctxt_switches:\t${own}\nnonvoluntary_ctxt_switches:\t${forced}\n`,
  );
const cpu = (fields: string) => put(PROGRAM, 'stat', `${PROGRAM} (sleep) S 100 ${fields}\n`);
const terminal = (name: string) => writeFileSync(join(root, 'pts', name), '');

const processes = {
  ...{ kind: 'processes', source: 'process', observedAt: NOW, paneId: '%1' },
  processes: [{ pid: PROGRAM }],
} as unknown as Evidence;
const ROUND = roundOf({
  servers: [{ socketPath: '/s', label: 's', version: '3.3a', pid: SERVER }],
  sessions: [entry('a', { evidence: [processes] })],
});
const followed = (round = ROUND) => {
  const stirring = createStirring({ procRoot: join(root, 'proc'), terminals: join(root, 'pts') });
  stirring.mark(round.roll);
  stirring.follow();
  return stirring;
};
/** As long as the file system's clock stands, nobody could tell the two. */
const anotherOfThatNumber = () => {
  const path = join(root, 'pts', '1');
  const before = lstatSync(path).ctimeMs;
  while (lstatSync(path).ctimeMs === before) {
    rmSync(path);
    terminal('1');
  }
};

describe('since a round', () => {
  test('nothing has moved where every counter stands', () => {
    const stirring = followed();
    expect([stirring.hasMoved(), stirring.hasMoved()]).toEqual([false, false]);
  });

  test.each([
    ['the server got a turn', () => turns(6, 1)],
    ['the server was given way to others', () => turns(5, 2)],
    ['a program used the processor', () => cpu('1 0')],
    ['a terminal came', () => terminal('2')],
    ['a terminal came in place of one that went', anotherOfThatNumber],
    ['a terminal went', () => rmSync(join(root, 'pts', '1'))],
    ['a server came whose terminals are elsewhere', () => put(300, 'comm', 'tmux: server\n')],
    ['a program ended', () => rmSync(join(root, 'proc', String(PROGRAM)), { recursive: true })],
    ['the server ended', () => rmSync(join(root, 'proc', String(SERVER)), { recursive: true })],
    ['nothing can be read of a program any more', () => put(PROGRAM, 'stat', '')],
    ['the kernel tells no turns any more', () => put(SERVER, 'status', 'Name:\ttmux\n')],
    ['the server’s number is another’s', () => turns(5, 1, 'sleep')],
  ])('something has moved where %s', (_, move) => {
    const stirring = followed();
    move();
    expect(stirring.hasMoved()).toBe(true);
  });

  test('nothing has moved where only a stranger came', () => {
    const stirring = followed();
    put(300, 'comm', 'tmux: client\n');
    expect(stirring.hasMoved()).toBe(false);
  });

  test.each([
    ['programs', () => cpu('1 0')],
    ['servers', () => turns(6, 1)],
  ])('%s are asked each time, and anew after the next look', (_, move) => {
    const stirring = followed();
    expect(stirring.hasMoved()).toBe(false);
    move();
    expect(stirring.hasMoved()).toBe(true);
    stirring.mark(ROUND.roll);
    stirring.follow();
    expect(stirring.hasMoved()).toBe(false);
  });

  test('a server that came while the look was under way has moved, until another look has passed it over', () => {
    const stirring = followed();
    const look = () => {
      stirring.mark(ROUND.roll);
      stirring.follow();
      return stirring.hasMoved();
    };
    put(300, 'comm', 'tmux: server\n');
    terminal('2');
    expect([look(), look()]).toEqual([true, false]);
    put(SERVER, 'comm', 'tmux: server\n');
    expect(followed().hasMoved()).toBe(true);
    rmSync(join(root, 'proc', '300'), { recursive: true });
    expect(followed().hasMoved()).toBe(false);
  });

  test('what a server did while the round acted and told has moved', () => {
    const stirring = followed();
    stirring.mark(ROUND.roll);
    turns(6, 1);
    stirring.follow();
    expect(stirring.hasMoved()).toBe(true);
  });
});

describe('what cannot be told has moved', () => {
  test('before the first round', () => {
    expect(createStirring({ procRoot: join(root, 'proc') }).hasMoved()).toBe(true);
  });

  test('after a look whose round was not to be followed late', () => {
    const stirring = followed();
    stirring.mark(ROUND.roll);
    expect(stirring.hasMoved()).toBe(true);
  });

  test('where the server counts processes for itself, and its number is a stranger’s', () => {
    turns(5, 1, 'postgres');
    expect(followed().hasMoved()).toBe(true);
  });

  test('where the server is elsewhere, and its number is that of one here', () => {
    const servers = ROUND.roll.servers.map((server) => ({ ...server, startTicks: 0 }));
    expect(followed({ ...ROUND, roll: { ...ROUND.roll, servers } }).hasMoved()).toBe(true);
  });

  test('where there is no server', () => {
    expect(followed(roundOf()).hasMoved()).toBe(true);
  });

  test('where a server has no number, or a program was gone when the round was over', () => {
    const nameless = roundOf({
      servers: [{ socketPath: '/s', label: 's', version: null, pid: undefined }],
    } as never);
    expect(followed(nameless).hasMoved()).toBe(true);
    rmSync(join(root, 'proc', String(PROGRAM)), { recursive: true });
    expect(followed().hasMoved()).toBe(true);
  });
});
