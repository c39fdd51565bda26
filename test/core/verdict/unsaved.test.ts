import { describe, expect, it } from 'vitest';
import type { BelowSighting, GitSighting } from '../../../src/core/sight/sighting.ts';
import { inShort, unsavedIn } from '../../../src/core/verdict/unsaved.ts';
import { holdsUnsaved, unpushed } from '../../../src/core/verdict/work-lacks.ts';
import { git, NOW, type Repository } from '../../support/evidence.ts';

const SINCE = NOW.at - 1000;
const [EARLIER, LATER] = [SINCE - 1, SINCE];
const facts = (over: Partial<Repository> = {}) => git(over).facts as Repository;
const lib: BelowSighting = {
  ...facts({ branch: 'main' }),
  path: 'lib',
  isSubmodule: false,
  changedAt: LATER,
};
const above = (...unsaved: BelowSighting[]) => facts({ below: { count: 1, unsaved, isCut: false } });
const NOTHING = { lacking: [], unknown: [], earlier: [] };

describe('what of a session’s work is not saved', () => {
  it('S31: counts another branch that was moved here since the session began, and tells of any other', () => {
    const branch = { name: 'work', commits: 2, changedAt: LATER, isOwn: true };
    const seen = (over: object) => unsavedIn(facts({ branches: [{ ...branch, ...over }] }), SINCE);
    const text = '2 unpushed commits on branch work';
    expect(seen({})).toEqual({ ...NOTHING, lacking: [text] });
    expect(seen({ changedAt: EARLIER })).toEqual({ ...NOTHING, earlier: [text] });
    expect(seen({ isOwn: false })).toEqual({ ...NOTHING, earlier: [text] });
    expect(seen({ isTag: true }).lacking).toEqual(['2 unpushed commits on tag work']);
    expect(seen({ commits: undefined }).lacking).toEqual(['unpushed commits on branch work']);
  });

  it('S31: counts a repository below where something was done since, and a submodule always', () => {
    const dirty = { ...lib, dirtyFiles: 1 };
    const text = 'in lib: 1 uncommitted file on branch main';
    expect(unsavedIn(above(dirty), SINCE)).toEqual({ ...NOTHING, lacking: [text] });
    expect(unsavedIn(above({ ...dirty, changedAt: EARLIER }), SINCE)).toEqual({
      ...NOTHING,
      earlier: [text],
    });
    expect(unsavedIn(above({ ...dirty, changedAt: EARLIER, isSubmodule: true }), SINCE)).toEqual({
      ...NOTHING,
      lacking: ['in the submodule lib: 1 uncommitted file on branch main'],
    });
  });

  it('S31: counts an operation that is in progress, here and below', () => {
    const text = 'a rebase is in progress';
    expect(unsavedIn(facts({ operation: 'rebase' }), SINCE)).toEqual({ ...NOTHING, lacking: [text] });
    const below = above({ ...lib, operation: 'rebase' });
    expect(unsavedIn(below, SINCE)).toEqual({ ...NOTHING, lacking: [`in lib: ${text}`] });
    expect(holdsUnsaved(facts({ operation: 'rebase' }))).toBe(true);
  });

  it('does not know what a repository below that was just used does not tell', () => {
    const { path, isSubmodule } = lib;
    const failed = {
      path,
      isSubmodule,
      changedAt: LATER,
      state: 'failed',
      text: 'git took too long',
    } as const;
    const text = 'in lib: git took too long';
    expect(unsavedIn(above(failed), SINCE)).toEqual({ ...NOTHING, unknown: [text] });
    expect(unsavedIn(above({ ...failed, changedAt: EARLIER }), SINCE)).toEqual({
      ...NOTHING,
      earlier: [text],
    });
    const { unpushedCommits: _, ...uncounted } = lib as Repository & typeof lib;
    expect(unsavedIn(above({ ...uncounted, changedAt: EARLIER }), SINCE).earlier).toEqual([
      'in lib: whether branch main is pushed cannot be told',
    ]);
  });

  it('looks below a folder that is in no repository', () => {
    const folder: GitSighting = { state: 'none', cwd: '/', observedAt: NOW.at };
    const below = { count: 1, unsaved: [{ ...lib, stashes: 1 }], isCut: false };
    expect(unsavedIn(folder, SINCE)).toEqual(NOTHING);
    expect(unsavedIn({ ...folder, below }, SINCE).lacking).toEqual(['in lib: 1 stash in the repository']);
  });

  it('names a few of many', () => {
    expect(inShort(['a', 'b', 'c'])).toBe('a; b; c');
    expect(inShort(['a', 'b', 'c', 'd', 'e'])).toBe('a; b; c; 2 more');
  });
});

describe('what a contract asks of the commits', () => {
  it('S31: a submodule with commits that no remote has is not pushed', () => {
    const module = { ...lib, isSubmodule: true, unpushedCommits: 2 };
    expect(unpushed(above(module))).toEqual({
      text: '2 unpushed commits in the submodule lib',
      mark: 'lib 2',
    });
    const { unpushedCommits: _, ...uncounted } = module;
    expect(unpushed(above(uncounted as BelowSighting))?.mark).toBeNull();
    expect(unpushed(above({ ...module, isMerged: true }))).toBeNull();
    expect(unpushed(above({ ...module, hasRemote: false }))).toBeNull();
    expect(unpushed(above({ ...module, isSubmodule: false }))).toBeNull();
    expect(
      unpushed(above({ path: 'lib', isSubmodule: true, changedAt: 0, state: 'failed', text: '' })),
    ).toBeNull();
  });

  it('a repository with a branch, a stash, a file or a commit of its own is worth telling of', () => {
    expect(holdsUnsaved(facts())).toBe(false);
    const branches = [{ name: 'work', changedAt: 0, isOwn: false }];
    for (const over of [{ dirtyFiles: 1 }, { stashes: 1 }, { unpushedCommits: 1 }, { branches }]) {
      expect(holdsUnsaved(facts(over))).toBe(true);
    }
  });
});
