import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findSockets,
  inspectSocket,
  isSocketPath,
  socketFolders,
  socketPathInTmux,
  socketPathOf,
} from '../../../src/adapters/tmux/find-sockets.ts';
import { listenOn, UID } from './look.ts';

let base: string;
let folder: string;
const closers: (() => Promise<void>)[] = [];

beforeEach(() => {
  base = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'f-'));
  folder = join(base, `tmux-${UID}`);
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(base, { recursive: true, force: true });
});

async function socketAt(path: string): Promise<string> {
  closers.push((await listenOn(path)).close);
  return path;
}

describe('a socket folder', () => {
  it('gives its sockets and passes over everything else', async () => {
    const path = await socketAt(join(folder, 'a b'));
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/nonexistent', join(folder, 'dangling'));
    expect(findSockets(folder, UID)).toMatchObject([{ state: 'socket', socketPath: path }]);
  });

  it('S5: a socket reached through a symlink has the path of the socket', async () => {
    const path = await socketAt(join(base, 'elsewhere.sock'));
    symlinkSync(path, join(folder, 'alias'));
    expect(findSockets(folder, UID)).toMatchObject([{ state: 'socket', socketPath: path }]);
  });

  it('is empty where there is none', () => {
    expect(findSockets(join(base, 'nothing'), UID)).toEqual([]);
  });

  it('S55: is not trusted as a symlink', async () => {
    await socketAt(join(folder, 'default'));
    symlinkSync(folder, join(base, 'link'));
    expect(findSockets(join(base, 'link'), UID)).toMatchObject([{ failure: 'not-permitted' }]);
  });

  it('S55: is not trusted as a file', () => {
    writeFileSync(join(base, 'file'), '');
    expect(findSockets(join(base, 'file'), UID)).toMatchObject([{ failure: 'not-permitted' }]);
  });

  it('S55: is not trusted when everyone may write to it', async () => {
    await socketAt(join(folder, 'default'));
    chmodSync(folder, 0o777);
    expect(findSockets(folder, UID)).toMatchObject([
      { state: 'failed', socketPath: folder, failure: 'not-permitted' },
    ]);
  });

  it('S55: is not trusted when another user owns it', async () => {
    await socketAt(join(folder, 'default'));
    expect(findSockets(folder, UID + 1)).toMatchObject([{ failure: 'not-permitted' }]);
  });
});

describe('a socket that was named', () => {
  it('is absent where no socket is', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(inspectSocket(join(folder, 'nothing'), UID).state).toBe('absent');
    expect(inspectSocket(join(folder, 'file'), UID).state).toBe('absent');
  });

  it('S55: is refused, not left out, when another user owns it', async () => {
    const path = await socketAt(join(folder, 'default'));
    expect(inspectSocket(path, UID + 1)).toMatchObject({ state: 'failed', failure: 'not-permitted' });
  });

  it('is not asked where the path would be cut to another one', () => {
    expect(inspectSocket(`/${'x'.repeat(120)}`, UID)).toMatchObject({ state: 'failed' });
    expect(inspectSocket('relative', UID)).toMatchObject({ state: 'failed' });
  });

  it('keeps the short spelling of a path whose real one is too long', async () => {
    const deep = join(base, 'd'.repeat(100));
    mkdirSync(deep);
    symlinkSync(deep, join(base, 's'));
    const path = await socketAt(join(base, 's', 'sock'));
    expect(inspectSocket(path, UID)).toMatchObject({ state: 'socket', socketPath: path });
  });

  it('gets a new mark with a new file', async () => {
    const path = join(folder, 'default');
    const first = await listenOn(path);
    const before = inspectSocket(path, UID);
    // Some file systems give the number of a file that is gone to the next one, in the same step of their clock.
    linkSync(path, join(base, 'kept'));
    await first.close();
    await socketAt(path);
    const after = inspectSocket(path, UID);
    expect(before.state === 'socket' && before.mark).not.toBe(after.state === 'socket' && after.mark);
  });
});

describe('S5: where servers are looked for', () => {
  it('covers the folders of launchers with other environments', () => {
    const env = { TMUX_TMPDIR: '/a', TMPDIR: '/b/', TMUX: '/c/tmux-7/work,123,0' };
    expect(socketFolders(env, 7)).toEqual(['/a/tmux-7', '/tmp/tmux-7', '/b/tmux-7', '/c/tmux-7']);
    expect(socketFolders({}, 7)).toEqual(['/tmp/tmux-7']);
    expect(socketFolders({ TMUX_TMPDIR: '/tmp', TMUX: '/tmp/tmux-7/default,1,0' }, 7)).toEqual([
      '/tmp/tmux-7',
    ]);
  });

  it('leaves a folder alone that holds one tmux socket among those of other programs', () => {
    expect(socketFolders({ TMUX: '/run/user/7/mine.sock,123,0' }, 7)).toEqual(['/tmp/tmux-7']);
  });

  it('reads the socket out of TMUX, commas and all', () => {
    expect(socketPathInTmux('/tmp/a,b,12,0')).toBe('/tmp/a,b');
    for (const text of [undefined, '', 'x,1,0', '/tmp/a', '/tmp/a,1'])
      expect(socketPathInTmux(text)).toBeUndefined();
  });

  it('resolves a label as tmux does, and a path as it is', () => {
    expect(socketPathOf('work', { TMUX_TMPDIR: '/a' }, 7)).toBe('/a/tmux-7/work');
    expect(socketPathOf('work', { TMUX_TMPDIR: '' }, 7)).toBe('/tmp/tmux-7/work');
    expect(socketPathOf('/x/../y', {}, 7)).toBe('/y');
  });

  it('knows which paths can be socket addresses', () => {
    expect(['/a', '/a\0b', 'a', `/${'é'.repeat(60)}`].map(isSocketPath)).toEqual([true, false, false, false]);
  });
});
