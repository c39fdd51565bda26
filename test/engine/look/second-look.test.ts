import { describe, expect, it } from 'vitest';
import type { GitSighting } from '../../../src/core/sight/sighting.ts';
import type { Scene, SessionLook } from '../../../src/engine/look/look-at-server.ts';
import type { Parts } from '../../../src/engine/look/parts.ts';
import { askGit } from '../../../src/engine/look/second-look.ts';
import { shell } from '../../support/evidence.ts';

const CWD = '/home/me/r/src';
const CLEAN: GitSighting = {
  ...{ state: 'repository', cwd: CWD, observedAt: 5, root: '/home/me/r', isLinkedWorktree: false },
  ...{ branch: 'main', dirtyFiles: 0, hasRemote: false, stashes: 0, isMerged: false },
};

/** What is told of a session in that folder, whose shell has other files at some paths. */
async function told(facts: GitSighting, ...others: readonly string[]) {
  const parts = {
    git: { sense: async () => [facts] },
    processes: {
      standsAt: () => true,
      otherPath: (_: unknown, paths: () => readonly string[]) =>
        paths().find((path) => others.includes(path)) ?? null,
    },
  } as unknown as Parts;
  const worker = shell();
  const pane = { sighting: { paneId: '%1' }, cwd: CWD, unseen: null, worker, processes: [worker] };
  const look = { key: 'k', session: { createdAtSeconds: 0 }, panes: [pane], evidence: [] };
  const scene = { declared: { state: 'unreadable' }, now: { at: 10 } };
  const all = await askGit([look as unknown as SessionLook], parts, scene as unknown as Scene);
  return all.get('k')?.[0];
}

describe('what git says of a folder', () => {
  it('is told where all that it looked at is the same for the program in it', async () => {
    expect(await told(CLEAN, '/home/me', '/tmp')).toMatchObject({ facts: CLEAN });
    const none: GitSighting = { state: 'none', cwd: CWD, observedAt: 5 };
    expect(await told(none, '/home/me/r')).toMatchObject({ facts: none });
  });

  it('is not told where the work tree around the folder is not the same', async () => {
    const unseen = expect.stringContaining('part of the work tree /home/me/r of bash');
    expect(await told(CLEAN, '/home/me/r')).toMatchObject({
      unseen,
      facts: { state: 'failed', text: unseen },
    });
  });

  it('is not told where the repository is not the same, wherever it is', async () => {
    const unseen = expect.stringContaining('the repository of bash');
    const failed = { unseen, facts: { state: 'failed', text: unseen } };
    expect(await told(CLEAN, '/home/me/r/.git', '/home/me/r')).toMatchObject(failed);
    const linked: GitSighting = { ...CLEAN, isLinkedWorktree: true, repository: '/srv/r.git' };
    expect(await told(linked, '/srv/r.git')).toMatchObject(failed);
    expect(await told(linked, '/home/me/r/.git')).toMatchObject({ facts: linked });
  });
});
