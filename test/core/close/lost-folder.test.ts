import { describe, expect, it } from 'vitest';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { inOwnFolder } from '../../../src/core/close/left-running.ts';
import { offersFor, repositoriesIn } from '../../../src/core/close/lost-folder.ts';
import type { Reopening } from '../../../src/core/close/reopening.ts';

const linked = { state: 'repository', root: '/w/topic', branch: 'topic', repository: '/r/main/.git' };

describe('a folder that is gone', () => {
  it('is made again from its repository', () => {
    const found = repositoriesIn(
      readKept({ git: [linked, { state: 'none', cwd: '/x' }, { state: 'repository' }, 3] }),
    );
    expect(found).toEqual([{ root: '/w/topic', branch: 'topic', repository: '/r/main/.git' }]);
    expect(offersFor(['/w/topic/sub', '/w/topic'], found)).toEqual([
      'git -C /r/main worktree add /w/topic topic',
    ]);
    expect(offersFor(['/elsewhere', '/w/topic/sub'], found)).toHaveLength(1);
    expect(offersFor(['/w/topical'], found)).toEqual([]);
  });

  it('is named with its branch where it was the repository itself', () => {
    const own = { root: '/r', branch: 'topic', repository: null };
    expect(offersFor(['/r'], [own])).toEqual([
      '/r was a repository of its own, on branch topic: clone it there again',
    ]);
    expect(offersFor(['/r'], [{ ...own, branch: null }])[0]).not.toContain('branch');
  });

  it('gives words that a shell takes as they are', () => {
    const odd = { root: "/w/it's", branch: null, repository: '/r/a b.git' };
    expect(offersFor(["/w/it's"], [odd])).toEqual([
      `git -C '/r/a b.git' worktree add '/w/it'\\''s' --detach`,
    ]);
  });

  it('is offered nothing where nothing tells of it', () => {
    expect(repositoriesIn(readKept({}))).toEqual([]);
  });

  it('keeps no other pane from coming back: it opens in the folder of the session, and runs nothing there', () => {
    const panes = [
      { paneId: '%1', cwd: '/gone', isActive: true, isThere: true },
      {
        paneId: '%2',
        cwd: '/gone',
        isActive: false,
        command: ['/usr/bin/env', 'ROLLCALL_OWNER=me', 'tail', 'hunter'],
      },
      { paneId: '%3', cwd: '/there', isActive: false, command: ['tail', '-f'] },
      { cwd: '/gone', isActive: false },
    ];
    const whole = {
      cwd: '/own',
      missing: ['before'],
      windows: [{ index: 0, panes }],
    } as unknown as Reopening;
    expect(inOwnFolder(whole, new Set())).toBe(whole);
    expect(inOwnFolder(whole, new Set(['/gone']))).toMatchObject({
      windows: [
        {
          panes: [
            panes[0],
            { paneId: '%2', cwd: '/own', isActive: false },
            panes[2],
            { cwd: '/own', isActive: false },
          ],
        },
      ],
      missing: [
        'before',
        'pane %2: its folder is gone (/gone), so it opens in /own, without its command: tail',
        'a pane: its folder is gone (/gone), so it opens in /own',
      ],
    });
  });
});
