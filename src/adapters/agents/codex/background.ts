import { openSync } from 'node:fs';
import { programName } from '../../../core/sight/program.ts';
import { tryOr } from '../../../core/try-or.ts';
import type { AgentScene, PaneProcess } from '../../../ports/agent.ts';
import { createKeep } from '../../files/keep.ts';
import { readAt, withFile } from '../../files/own-file.ts';
import { codexCommand } from './command-line.ts';

const MAX_BYTES = 512 * 1024;

/** The environment of a process, each entry between NULs; null when it is unreadable, too long, or empty (it has ended). */
function readEnvironment(path: string): string | null {
  return tryOr(null, () =>
    withFile(openSync(path, 'r'), (file) => {
      const bytes = readAt(file, MAX_BYTES, 0);
      const isWhole = bytes.length > 0 && bytes.length < MAX_BYTES;
      return isWhole ? `\0${bytes.toString('latin1')}` : null;
    }),
  );
}

/** Counts the commands that a Codex without daemon runs; null when one of its processes cannot be told from work. */
export type CountCommands = (scene: Pick<AgentScene, 'agent' | 'others'>) => number | null;

const MAX_KEPT = 4_000;

/**
 * Makes the counter. Codex marks every command that it runs for a conversation in the environment; the servers that it
 * keeps for its tools (MCP) bear no such mark, and are no work.
 */
export function createCountCommands(procRoot: string): CountCommands {
  const kept = createKeep<boolean | null>(MAX_KEPT);
  const isCommand = (process: PaneProcess): boolean | null => {
    if (programName(process.argv[0] ?? '') === 'codex-linux-sandbox') return true;
    if (codexCommand(process.argv)?.first === 'app-server') return false;
    const key = `${process.pid} ${process.startTicks}`;
    const known = kept.get(key);
    if (known !== undefined && known !== null) return known;
    const environment = readEnvironment(`${procRoot}/${process.pid}/environ`);
    return kept.set(key, environment === null ? null : environment.includes('\0CODEX_THREAD_ID='));
  };
  return ({ agent, others }) => {
    const answers = others()
      .filter(({ parentPid, relation }) => parentPid === agent.pid || relation === 'outside')
      .map(isCommand);
    const count = answers.filter((answer) => answer === true).length;
    return count === 0 && answers.includes(null) ? null : count;
  };
}
