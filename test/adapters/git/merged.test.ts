import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitFixture, numbered } from './git-fixture.ts';

/** A bound that no branch may exceed; the other branches come behind it. */
const MAX_CALLS = 7;
const ownCalls = () => fixture.calls.slice(0, fixture.calls.indexOf('for-each-ref'));

let fixture: GitFixture;
let root: string;
beforeEach(() => {
  fixture = new GitFixture();
  root = fixture.pushed();
  fixture.git(root, 'checkout', '-q', '-b', 'work');
});
afterEach(() => {
  expect(ownCalls().length).toBeLessThanOrEqual(MAX_CALLS);
  fixture.remove();
});

/** Runs steps on main and brings it to the remote, then goes back to the branch. */
function onMain(...steps: (() => void)[]): void {
  fixture.git(root, 'checkout', '-q', 'main');
  for (const step of steps) step();
  fixture.git(root, 'push', '-q', 'origin', 'main');
  fixture.git(root, 'checkout', '-q', 'work');
}
const squash = (message = 'squashed') => {
  fixture.git(root, 'merge', '-q', '--squash', 'work');
  fixture.git(root, 'commit', '-q', '-m', message);
};
const isMerged = async () => (await fixture.repositoryFacts(root)).isMerged;

describe('merged by history', () => {
  it('S31: sees a branch that a merge commit brought in', async () => {
    fixture.commit(root, 'a', 'a');
    onMain(
      () => fixture.commit(root, 'other', 'other'),
      () => fixture.git(root, 'merge', '-q', '--no-ff', '-m', 'merge', 'work'),
    );
    expect(await fixture.repositoryFacts(root)).toMatchObject({ isMerged: true, unpushedCommits: 0 });
    expect(ownCalls()).toEqual(['status', 'rev-list']);
  });

  it('S31: sees a branch that main was fast-forwarded to', async () => {
    fixture.commit(root, 'a', 'a');
    onMain(() => fixture.git(root, 'merge', '-q', '--ff-only', 'work'));
    expect(await isMerged()).toBe(true);
  });

  it('does not believe a local main that was not pushed', async () => {
    fixture.commit(root, 'a', 'a');
    fixture.git(root, 'checkout', '-q', 'main');
    fixture.git(root, 'merge', '-q', '--ff-only', 'work');
    expect(await fixture.repositoryFacts(root)).toMatchObject({ isMerged: false, unpushedCommits: 1 });
  });

  it('believes the local main where there is no remote', async () => {
    const alone = fixture.repository('alone');
    fixture.git(alone, 'checkout', '-q', '-b', 'work');
    fixture.commit(alone, 'a', 'a');
    expect(await fixture.repositoryFacts(alone)).toMatchObject({ isMerged: false });
    fixture.git(alone, 'branch', '-f', 'main', 'work');
    fixture.calls.length = 0;
    expect(await fixture.repositoryFacts(alone)).toMatchObject({ isMerged: true });
  });

  it('does not take a branch of the remote that only ends in main for the main branch', async () => {
    fixture.commit(root, 'a', 'a');
    fixture.git(root, 'push', '-q', 'origin', 'work:refs/heads/agent/main');
    expect(await isMerged()).toBe(false);
  });

  it('knows a main branch of another name by the remote’s HEAD', async () => {
    fixture.git(root, 'push', '-q', 'origin', 'main:refs/heads/develop');
    fixture.git(root, 'remote', 'set-head', 'origin', 'develop');
    fixture.commit(root, 'a', 'a');
    fixture.git(root, 'push', '-q', 'origin', 'work:refs/heads/develop');
    expect(await isMerged()).toBe(true);
  });
});

describe('merged by content', () => {
  it('S31: several commits squashed into one, with later commits on main, are merged though unpushed', async () => {
    fixture.commit(root, 'a', 'a');
    fixture.commit(root, 'b', 'b');
    fixture.commit(root, 'a', 'a again');
    onMain(
      () => fixture.commit(root, 'before', 'x'),
      () => squash(),
      () => fixture.commit(root, 'later', 'y'),
      () => fixture.commit(root, 'a', 'and changed since'),
    );
    expect(await fixture.repositoryFacts(root)).toMatchObject({ isMerged: true, unpushedCommits: 3 });
  });

  it('S31: a squash into files that main had changed elsewhere is recognised by its patch', async () => {
    fixture.commit(root, 'first.txt', numbered(30, { 20: 'mine' }));
    fixture.commit(root, 'first.txt', numbered(30, { 20: 'mine', 21: 'mine too' }));
    onMain(
      () => fixture.commit(root, 'first.txt', `inserted\n${numbered(30)}`),
      () => squash(),
      () => fixture.commit(root, 'first.txt', 'and rewritten since'),
    );
    expect(await isMerged()).toBe(true);
    expect(ownCalls()).toEqual(['status', 'rev-list', 'rev-list', 'rev-list', 'diff-tree', 'diff-tree']);
  });

  it('S31: changes that landed in other portions are merged, file by file', async () => {
    fixture.write(join(root, 'a'), 'a');
    fixture.commit(root, 'b', 'b');
    onMain(
      () => fixture.commit(root, 'a', 'a'),
      () => fixture.commit(root, 'b', 'b'),
    );
    expect(await isMerged()).toBe(true);
  });

  it('is not merged when a merge on the branch holds a change of its own', async () => {
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine' }));
    onMain(() => fixture.commit(root, 'other', 'other'));
    fixture.git(root, 'merge', '-q', '--no-commit', 'main');
    fixture.commit(root, 'only-here', 'made while merging', 'take main in');
    onMain(
      () => fixture.commit(root, 'first.txt', numbered(30, { 25: 'theirs' })),
      () => fixture.git(root, 'cherry-pick', 'work~1'),
    );
    expect(await isMerged()).toBe(false);
  });

  it('S31: commits that were rebased onto main one by one are merged', async () => {
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine' }));
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine', 10: 'mine too' }));
    onMain(
      () => fixture.commit(root, 'first.txt', numbered(30, { 25: 'theirs' })),
      () => fixture.git(root, 'cherry-pick', 'work~1', 'work'),
    );
    expect(await isMerged()).toBe(true);
  });

  it('S31: a branch that had taken main in before it was squashed is merged', async () => {
    fixture.commit(root, 'a', 'a');
    onMain(() => fixture.commit(root, 'other', 'other'));
    fixture.git(root, 'merge', '-q', '-m', 'take main in', 'main');
    fixture.commit(root, 'b', 'b');
    onMain(() => squash());
    expect(await isMerged()).toBe(true);
  });

  it('is not merged before anything was', async () => {
    fixture.commit(root, 'a', 'a');
    expect(await fixture.repositoryFacts(root)).toMatchObject({ isMerged: false, unpushedCommits: 1 });
  });

  it('S31: is not merged when one commit came after the squash', async () => {
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine' }));
    onMain(
      () => fixture.commit(root, 'first.txt', numbered(30, { 25: 'theirs' })),
      () => squash(),
    );
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine', 9: 'more' }));
    expect(await isMerged()).toBe(false);
  });

  it('is not merged when only one of its commits landed', async () => {
    fixture.commit(root, 'a', 'a');
    fixture.commit(root, 'b', 'b');
    onMain(() => fixture.git(root, 'cherry-pick', 'work~1'));
    expect(await isMerged()).toBe(false);
  });

  it('is not merged when main changed the same files otherwise', async () => {
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine' }));
    onMain(() => fixture.commit(root, 'first.txt', numbered(30, { 2: 'theirs' })));
    expect(await isMerged()).toBe(false);
  });

  it('is not merged when main differs only in white space, or only in bytes that are no UTF-8', async () => {
    const text = (tail: string) => Buffer.from(`${numbered(30)}${tail}\n`, 'latin1');
    writeFileSync(join(root, 'first.txt'), text('caf\xe9 a'));
    fixture.git(root, 'commit', '-q', '-am', 'mine');
    onMain(
      () => fixture.commit(root, 'first.txt', numbered(30, { 2: 'theirs' })),
      () => {
        appendFileSync(join(root, 'first.txt'), Buffer.from('caf\xe8 a\n', 'latin1'));
        fixture.git(root, 'commit', '-q', '-am', 'other byte');
      },
      () => fixture.commit(root, 'first.txt', numbered(30, { 2: 'theirs' })),
      () => {
        appendFileSync(join(root, 'first.txt'), Buffer.from('caf\xe9  a\n', 'latin1'));
        fixture.git(root, 'commit', '-q', '-am', 'other space');
      },
    );
    expect(await isMerged()).toBe(false);
  });

  it('is not merged when main changed the same binary file otherwise', async () => {
    const binary = (byte: number) => writeFileSync(join(root, 'image'), Buffer.from([0, 1, 0, byte]));
    const commit = (byte: number) => {
      binary(byte);
      fixture.git(root, 'add', '-A');
      fixture.git(root, 'commit', '-q', '-m', 'image');
    };
    commit(7);
    onMain(() => commit(8));
    expect(await isMerged()).toBe(false);
  });

  it('is not merged when the same line was added twice and landed once', async () => {
    const same = (count: number) => `${'same\n'.repeat(count)}`;
    fixture.commit(root, 'same', same(20));
    onMain(() => fixture.git(root, 'merge', '-q', '--ff-only', 'work'));
    fixture.commit(root, 'same', same(21));
    fixture.commit(root, 'same', same(22));
    onMain(
      () => fixture.commit(root, 'same', `head\n${same(20)}`),
      () => fixture.commit(root, 'same', `head\n${same(21)}`),
    );
    expect(await isMerged()).toBe(false);
  });

  it('is not merged when the branch undid itself, or shares no history with main', async () => {
    fixture.commit(root, 'a', 'a');
    fixture.git(root, 'rm', '-q', 'a');
    fixture.git(root, 'commit', '-q', '-m', 'undo');
    onMain(() => fixture.commit(root, 'other', 'other'));
    expect(await isMerged()).toBe(false);
    fixture.git(root, 'checkout', '-q', '--orphan', 'apart');
    fixture.commit(root, 'b', 'b');
    fixture.calls.length = 0;
    expect(await isMerged()).toBe(false);
  });

  it('stays within its calls in the costliest case: several edges, patches', async () => {
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine' }));
    onMain(() => fixture.commit(root, 'other', 'other'));
    fixture.git(root, 'merge', '-q', '-m', 'take main in', 'main');
    onMain(
      () => fixture.commit(root, 'first.txt', numbered(30, { 25: 'theirs' })),
      () => squash(),
    );
    expect(await isMerged()).toBe(true);
    expect(ownCalls()).toHaveLength(MAX_CALLS);
  });
});
