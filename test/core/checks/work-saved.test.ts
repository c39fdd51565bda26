import { expect, it } from 'vitest';
import { workSaved } from '../../../src/core/checks/work-saved.ts';
import type { Evidence, GitEvidence } from '../../../src/core/verdict/evidence.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import type { Repository } from '../../support/evidence.ts';
import { git, NOW, onPane, pane, processes, shell, unavailable } from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const where = { cwd: '/project', observedAt: NOW.at };
const none = git({}, { facts: { state: 'none', ...where } });
const failed = git({}, { facts: { state: 'failed', ...where, text: 'git took too long' } });
const absent = (key: 'branch' | 'unpushedCommits', over: Partial<Repository> = {}): GitEvidence => {
  const { [key]: _, ...facts } = git(over).facts as Repository;
  return git({}, { facts: facts as Repository });
};

it.each<[string, Check['state'], string, Evidence[]]>([
  ['a clean, pushed branch', 'met', 'nothing uncommitted, unpushed or stashed on branch topic', [git()]],
  [
    'a detached HEAD',
    'met',
    'nothing uncommitted, unpushed or stashed on a detached HEAD',
    [absent('branch')],
  ],
  ['no repository', 'met', 'its folder is in no git repository', [none]],
  ['a dirty tree', 'unmet', '2 uncommitted files on branch topic', [git({ dirtyFiles: 2 })]],
  ['unpushed commits', 'unmet', '3 unpushed commits on branch topic', [git({ unpushedCommits: 3 })]],
  ['a stash', 'unmet', '1 stash in the repository', [git({ stashes: 1 })]],
  [
    'squash-merged commits',
    'met',
    'nothing uncommitted, unpushed or stashed on branch topic',
    [git({ unpushedCommits: 3, isMerged: true })],
  ],
  [
    'a dirty tree on a merged branch',
    'unmet',
    '1 uncommitted file on branch topic',
    [git({ dirtyFiles: 1, isMerged: true })],
  ],
  ['a stash on a merged branch', 'unmet', '1 stash in the repository', [git({ stashes: 1, isMerged: true })]],
  [
    'a repository without a remote',
    'met',
    'nothing uncommitted, unpushed or stashed on branch topic',
    [absent('unpushedCommits', { hasRemote: false })],
  ],
  [
    'a remote that cannot be compared with',
    'unknown',
    'whether branch topic is pushed cannot be told',
    [absent('unpushedCommits')],
  ],
  [
    'several kinds',
    'unmet',
    '2 uncommitted files on branch topic; 1 stash in the repository; 3 unpushed commits on branch topic',
    [git({ dirtyFiles: 2, stashes: 1, unpushedCommits: 3 })],
  ],
  [
    'an old branch',
    'met',
    'nothing uncommitted, unpushed or stashed on branch topic; not of this session: unpushed commits on branch old',
    [git({ branches: [{ name: 'old', changedAt: 1, isOwn: true }] }, { since: 2 })],
  ],
  [
    'a branch that was moved since the session began',
    'unmet',
    'unpushed commits on branch new',
    [git({ branches: [{ name: 'new', changedAt: 2, isOwn: true }] }, { since: 2 })],
  ],
  ['a git that failed', 'unknown', 'git took too long', [failed]],
  ['a git that was not asked', 'unknown', 'git was not asked', []],
  ['a folder that cannot be read', 'unknown', 'git does not answer', [git(), unavailable('git')]],
  [
    'a clean branch, where something else cannot be seen',
    'met',
    'nothing uncommitted, unpushed or stashed on branch topic',
    [git(), unavailable('host')],
  ],
  [
    'the dirtiest of several panes',
    'unmet',
    '1 uncommitted file on branch topic',
    [failed, ...onPane('%2', [pane(), git({ dirtyFiles: 1 })])],
  ],
  ['the unknown one of several panes', 'unknown', 'git was not asked', [git(), ...onPane('%2', [pane()])]],
])('S31: the work of %s is saved: %s', (_, state, text, evidence) => {
  expect(workSaved(judgedOf([pane(), ...evidence]))).toEqual({ code: 'work-saved', state, text });
});

it.each<[string, Evidence[]]>([
  ['the folder of something in it', [processes([shell()], { unseen: 'it is elsewhere' }), none]],
  ['its repository', [{ ...failed, unseen: 'it is elsewhere' }]],
  [
    'one of several folders',
    [git({ dirtyFiles: 1 }), ...onPane('%2', [pane(), processes([], { unseen: 'it is elsewhere' })])],
  ],
])('work is lost, and not merely unsaved, where %s cannot be seen', (_, evidence) => {
  const seen = workSaved(judgedOf([pane(), ...evidence]));
  expect(seen).toEqual({ code: 'work-saved', kind: 'would-lose', state: 'unknown', text: 'it is elsewhere' });
});

it('nothing is known of the work of no pane', () => {
  const text = 'there is no pane to look at';
  expect(workSaved(judgedOf([]))).toEqual({ code: 'work-saved', state: 'unknown', text });
});
