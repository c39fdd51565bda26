import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Requirement } from '../../../src/core/verdict/policy.ts';
import { contractBlockers } from '../../../src/engine/act/contract.ts';
import type { CommandEnd, RunCommand } from '../../../src/ports/command-runner.ts';
import { git, unavailable } from '../../support/evidence.ts';

const NONE = { requires: [], commands: [], commandTimeoutMs: 5000 };
const GOOD: RunCommand = async () => ({ state: 'exited', exitCode: 0, output: '' });

/** A session as a thorough look leaves it, as far as a contract reads it. */
function session(evidence: readonly Evidence[], cwd: string | null = '/project'): SessionEntry {
  const panes = [
    { paneId: '%1', cwd: '/elsewhere', isActive: false },
    { paneId: '%2', cwd, isActive: true },
  ];
  return { panes, evidence } as unknown as SessionEntry;
}

const lacks = async (requires: readonly Requirement[], ...evidence: Evidence[]) =>
  (await contractBlockers({ ...NONE, requires }, session(evidence), GOOD)).map(
    ({ code, text }) => `${code}: ${text}`,
  );

describe('S31: what a contract asks of git', () => {
  it('is met by a clean and pushed work tree, and not asked where nothing is required', async () => {
    expect(await lacks(['clean', 'pushed'], git())).toEqual([]);
    expect(await lacks([], git({ dirtyFiles: 3 }))).toEqual([]);
  });

  it('names what is uncommitted and unpushed, in every repository once', async () => {
    const dirty = git({ dirtyFiles: 3, unpushedCommits: 2 });
    const other = git({ root: '/other', unpushedCommits: 1 }, { paneId: '%2' });
    expect(
      await lacks(
        ['clean', 'pushed'],
        dirty,
        git({ dirtyFiles: 3, unpushedCommits: 2 }, { paneId: '%3' }),
        other,
      ),
    ).toEqual([
      'not-clean: 3 uncommitted files in /project',
      'not-pushed: 2 unpushed commits in /project',
      'not-pushed: 1 unpushed commit in /other',
    ]);
  });

  it('counts a branch that was squashed into the main one as pushed, and one without a remote as not', async () => {
    expect(await lacks(['pushed'], git({ unpushedCommits: 2, isMerged: true }))).toEqual([]);
    expect(await lacks(['pushed'], git({ hasRemote: false }))).toMatchObject([
      expect.stringContaining('no remote'),
    ]);
    const { unpushedCommits: _, ...facts } = git().facts as unknown as { unpushedCommits: number };
    const untold = { ...git(), facts: facts as never };
    expect(await lacks(['pushed'], untold)).toMatchObject([expect.stringContaining('nobody can tell')]);
  });

  it('is not met where git could not be asked, or there is no repository', async () => {
    const failed = {
      ...git(),
      facts: { state: 'failed', cwd: '/x', observedAt: 1, text: 'timed out' } as const,
    };
    expect(await lacks(['clean'], git(), failed)).toEqual(['not-clean: clean cannot be told: timed out']);
    expect(await lacks(['clean'], git(), unavailable('git'))).toMatchObject([
      expect.stringContaining('cannot be told'),
    ]);
    const none = { ...git(), facts: { state: 'none', cwd: '/x', observedAt: 1 } as const };
    expect(await lacks(['clean'], none)).toEqual(['not-clean: no pane is in a git repository']);
    expect(await lacks(['clean'])).toEqual(['not-clean: no pane is in a git repository']);
    expect(await lacks(['clean'], git(), none)).toEqual([]);
  });
});

describe('commands of a contract', () => {
  const failing = async (end: CommandEnd) => {
    const contract = { ...NONE, commands: [['npm', 'test']] };
    const [blocker] = await contractBlockers(contract, session([]), async () => end);
    return blocker?.text;
  };

  it('run where the session works, and all of them', async () => {
    const ran: unknown[] = [];
    const run: RunCommand = async (argv, bounds) => {
      ran.push([argv, bounds]);
      return { state: 'exited', exitCode: argv[0] === 'false' ? 1 : 0, output: '' };
    };
    const contract = { ...NONE, commands: [['false'], ['true']] };
    expect(await contractBlockers(contract, session([]), run)).toEqual([
      { code: 'command-failed', text: 'false: exit status 1' },
    ]);
    const bounds = { cwd: '/project', timeoutMs: 5000 };
    expect(ran).toEqual([
      [['false'], bounds],
      [['true'], bounds],
    ]);
  });

  it('say how they ended and what they said last', async () => {
    expect(await failing({ state: 'exited', exitCode: 2, output: 'one\n\u001b[31mtwo\n\n' })).toBe(
      'npm test: exit status 2 (\\e[31mtwo)',
    );
    expect(await failing({ state: 'killed', signal: 'SIGTERM', output: '' })).toBe(
      'npm test: ended by SIGTERM',
    );
    expect(await failing({ state: 'timed-out', output: '' })).toBe('npm test: not done within 5 s');
    expect(await failing({ state: 'not-started', output: 'ENOENT' })).toBe(
      'npm test: could not be started (ENOENT)',
    );
  });

  it('are not met where the session’s folder is not known', async () => {
    const contract = { ...NONE, commands: [['true']] };
    const nowhere = { ...session([], null), panes: [] };
    expect(await contractBlockers(contract, nowhere, GOOD)).toMatchObject([{ code: 'command-failed' }]);
  });
});
