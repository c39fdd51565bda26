import { resolve } from 'node:path';
import type { CheckResult } from '../../core/gate/check.ts';
import { spoken } from '../../core/text/duration.ts';
import { lastLineOf } from '../../core/verdict/work-lacks.ts';
import type { CommandEnd, RunCommand } from '../../ports/command-runner.ts';
import type { GateChecks, TreeState } from '../../ports/gate.ts';
import type { GitSensor } from '../../ports/sensor.ts';
import {
  type CheckSighting,
  lookAtBoxes,
  lookAtOwnTodo,
  lookAtRemotes,
  lookAtTree,
  lookForFile,
  met,
  unknown,
  unmet,
} from './look-at-check.ts';

/** Ended by somebody, which says nothing about the work; what a program dies of by itself does. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** What the end of a check's program says. */
function foundBy(end: CommandEnd, timeoutMs: number): CheckSighting {
  switch (end.state) {
    case 'exited':
      if (end.exitCode === 0) return { ...met('exit status 0'), mark: '0' };
      return unmet(`exit status ${end.exitCode}${lastLineOf(end.output)}`, String(end.exitCode));
    case 'killed':
      if (FROM_OUTSIDE.has(end.signal)) return unknown(`ended by ${end.signal}`);
      return unmet(`ended by ${end.signal}${lastLineOf(end.output)}`, end.signal);
    case 'timed-out':
      return unmet(`not done within ${spoken(timeoutMs)}${lastLineOf(end.output)}`, 'timed-out');
    case 'not-started':
      return unknown(`could not be started${lastLineOf(end.output)}`);
  }
}

export interface GateChecksOptions {
  /** Tells the state of the work tree around a folder. */
  readonly tree: (cwd: string) => Promise<TreeState>;
  /** Tells what is pushed. */
  readonly git: GitSensor;
  readonly run: RunCommand;
  /** Looks at the files that checks name; in this process unless somebody else is asked. */
  readonly files?: {
    lookFor(cwd: string, path: string): CheckSighting | Promise<CheckSighting>;
    boxesIn(cwd: string, path: string): CheckSighting | Promise<CheckSighting>;
  };
  /** Ends what runs at once, with everything that it started. */
  readonly signal?: AbortSignal;
}

/** Checks on the real work tree, with real programs. */
export function createGateChecks({ tree, git, run, signal, files = OWN }: GateChecksOptions): GateChecks {
  const treeOf = async (cwd: string): Promise<TreeState> => {
    try {
      return await tree(cwd);
    } catch (error) {
      return { state: 'unknown', text: (error as Error).message };
    }
  };
  return {
    tree: treeOf,
    async look(check, { cwd, tree: seen, at, ownTodo }) {
      try {
        switch (check.kind) {
          case 'clean':
            return result(lookAtTree(seen), at, digestOf(seen));
          case 'pushed':
            return result(lookAtRemotes((await git.sense([cwd]))[0]), at);
          case 'file':
            return result(await files.lookFor(cwd, check.path), at);
          case 'todo':
            return result(
              check.path === null ? lookAtOwnTodo(await ownTodo()) : await files.boxesIn(cwd, check.path),
              at,
            );
        }
      } catch (error) {
        return result(unknown((error as Error).message), at);
      }
    },
    async run(check, { cwd, tree: before, at }) {
      try {
        const folder = check.cwd === null ? cwd : resolve(cwd, check.cwd);
        const { argv, timeoutMs } = check;
        const end = await run(argv, { cwd: folder, timeoutMs, ...(signal && { signal }) });
        const found = foundBy(end, timeoutMs);
        // The result holds for a tree that the command left unchanged; else nobody knows for which.
        const isSteady =
          before.state === 'known' &&
          digestOf(await treeOf(cwd)) === before.digest &&
          found.state !== 'unknown';
        return result(found, at, isSteady ? before.digest : null);
      } catch (error) {
        return result(unknown((error as Error).message), at);
      }
    },
  };
}

const OWN = { lookFor: lookForFile, boxesIn: lookAtBoxes };

function result(found: CheckSighting, at: number, tree: string | null = null): CheckResult {
  return { ...found, at, tree };
}

function digestOf(tree: TreeState): string | null {
  return tree.state === 'known' ? tree.digest : null;
}
