import { spawn } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitSensor } from '../../../src/ports/sensor.ts';
import { GitFixture } from './git-fixture.ts';

let fixture: GitFixture;
let root: string;
let sensor: GitSensor;
beforeEach(() => {
  fixture = new GitFixture();
  root = fixture.pushed();
  fixture.git(root, 'checkout', '-q', '-b', 'work');
  fixture.commit(root, 'a', 'a');
  sensor = fixture.sensor();
});
afterEach(() => fixture.remove());

/** Looks once more, `laterMs` after the last time, and tells which git commands that took. */
async function look(laterMs = 5000) {
  fixture.nowAt += laterMs;
  fixture.calls.length = 0;
  const [sighting] = await sensor.sense([root]);
  if (sighting?.state !== 'repository') throw new Error(JSON.stringify(sighting));
  return { sighting, calls: [...fixture.calls] };
}

describe('what the sensor remembers', () => {
  it('needs few calls at first, none at once again, and only status later', async () => {
    expect((await look()).calls).toEqual(['status', 'rev-list', 'rev-list', 'rev-list', 'for-each-ref']);
    expect((await look(1999)).calls).toEqual([]);
    expect((await look(2000)).calls).toEqual(['status']);
    expect((await look()).calls).toEqual(['status']);
  });

  it('S39: takes nothing of that for what is there now, where somebody wants to know it fresh', async () => {
    fixture.write(join(root, '.gitignore'), 'vendor/\n');
    fixture.git(root, 'add', '.gitignore');
    fixture.git(root, 'commit', '-q', '-m', 'ignore');
    await look();
    fixture.write(join(root, 'new'), '');
    fixture.write(join(fixture.repository('below'), 'dirty'), '');
    mkdirSync(join(root, 'vendor'));
    renameSync(join(fixture.folder, 'below'), join(root, 'vendor/below'));
    const trusting = await sensor.sense([root]);
    expect(trusting).toMatchObject([{ dirtyFiles: 0 }]);
    const [fresh] = await sensor.sense([root], true);
    expect(fresh).toMatchObject({ dirtyFiles: 1 });
    expect(JSON.stringify(fresh)).toContain('vendor/below');
  });

  it('keeps the time of the look on a remembered answer', async () => {
    const first = await look();
    expect((await look(1000)).sighting).toEqual(first.sighting);
    expect((await look(1500)).sighting.observedAt).toBe(fixture.nowAt);
  });

  it('looks again when the clock was set back', async () => {
    await look();
    expect((await look(-1)).calls).toEqual(['status']);
  });

  it('sees a file change after the short freshness, which no file of git tells', async () => {
    await look();
    fixture.write(join(root, 'a'), 'changed');
    expect((await look()).sighting.dirtyFiles).toBe(1);
  });

  it.each([
    ['a staged file', () => stage()],
    ['a commit', () => fixture.commit(root, 'b', 'b')],
    ['a stash', () => [fixture.write(join(root, 'a'), 'x'), fixture.git(root, 'stash')]],
    [
      'a branch that was moved from elsewhere',
      () => fixture.git(root, 'update-ref', 'refs/heads/work', 'main'),
    ],
    ['another branch', () => fixture.git(root, 'checkout', '-q', '-b', 'third')],
    ['a push', () => fixture.git(root, 'push', '-q', 'origin', 'work')],
    ['a push to a nested name', () => fixture.git(root, 'push', '-q', 'origin', 'work:x/y/z')],
    ['another remote', () => fixture.git(root, 'remote', 'add', 'second', '/nowhere')],
    ['no remote any more', () => fixture.git(root, 'remote', 'remove', 'origin')],
  ])('forgets at once after %s', async (_, change) => {
    const before = (await look()).sighting;
    change();
    const after = await look(1);
    expect(after.calls).not.toEqual([]);
    const [truth] = await fixture.sensor().sense([root]);
    expect(after.sighting).toEqual(truth);
    expect(after.sighting.observedAt).not.toBe(before.observedAt);
  });

  it('sees a detached HEAD move', async () => {
    fixture.git(root, 'checkout', '-q', '--detach');
    expect((await look()).sighting.unpushedCommits).toBe(1);
    fixture.git(root, 'update-ref', '--no-deref', 'HEAD', 'main');
    expect((await look(1)).sighting.unpushedCommits).toBe(0);
  });

  it('sees a stash that was made in another work tree', async () => {
    const linked = fixture.path('linked');
    fixture.git(root, 'worktree', 'add', '-q', '-b', 'side', linked, 'main');
    expect((await look()).sighting.stashes).toBe(0);
    fixture.write(join(linked, 'first.txt'), 'x');
    fixture.git(linked, 'stash');
    expect((await look(1)).sighting.stashes).toBe(1);
  });

  it('sees that refs were packed and a packed ref moved', async () => {
    fixture.git(root, 'push', '-q', 'origin', 'work');
    fixture.git(root, 'pack-refs', '--all', '--prune');
    expect((await look()).sighting.unpushedCommits).toBe(0);
    fixture.git(root, 'update-ref', '-d', 'refs/remotes/origin/work');
    expect((await look(1)).sighting.unpushedCommits).toBe(1);
  });

  it('asks again after a minute what could not be decided, and not before', async () => {
    fixture.git(root, 'checkout', '-q', 'main');
    fixture.git(root, 'merge', '-q', '--squash', 'work');
    fixture.git(root, 'commit', '-q', '-m', 'squashed');
    fixture.git(root, 'push', '-q');
    fixture.git(root, 'checkout', '-q', 'work');
    let isBroken = true;
    sensor = fixture.sensor({
      spawn: (command, args, options) => {
        const isDiff = args.includes('diff-tree');
        fixture.calls.push(isDiff ? 'diff-tree' : 'other');
        return spawn(isDiff && isBroken ? 'false' : command, args, options);
      },
    });
    expect((await look()).sighting.isMerged).toBe(false);
    isBroken = false;
    for (const laterMs of [5000, 30_000, 22_000]) expect((await look(laterMs)).calls).toEqual(['other']);
    const last = await look(3000);
    expect(last.calls).toContain('diff-tree');
    expect(last.sighting.isMerged).toBe(true);
  });

  it('keeps two work trees of one repository apart', async () => {
    fixture.git(root, 'worktree', 'add', '-q', '-b', 'side', fixture.path('linked'), 'main');
    mkdirSync(join(root, 'inner'));
    const ask = () => sensor.sense([root, fixture.path('linked'), join(root, 'inner')]);
    await ask();
    const [one, two, three] = await ask();
    expect([one, two, three].map((each) => each?.state === 'repository' && each.branch)).toEqual([
      'work',
      'side',
      'work',
    ]);
  });
});

function stage(): void {
  fixture.write(join(root, 'b'), 'b');
  fixture.git(root, 'add', 'b');
}
