import type { ProcessMark, ProcessTable } from '../../core/sight/process.ts';
import type { LinuxProcessTable } from './linux-process-table.ts';
import { readProcFile } from './proc-file.ts';

type Environment = Readonly<Record<string, string>>;

const LIMIT_BYTES = 2 * 1024 * 1024;

/**
 * Reads the environment that a process was started with, for the few whose files must be found. A block never changes after
 * the exec, so each is read once.
 */
export function createLinuxEnvironment(processes: LinuxProcessTable) {
  const kept = new Map<number, { readonly startTicks: number; readonly env: Environment }>();
  return {
    read({ pid, startTicks }: ProcessMark): Environment | null {
      const known = kept.get(pid);
      if (known?.startTicks === startTicks) return known.env;
      const read = readProcFile(`${processes.folder(pid)}/environ`, LIMIT_BYTES);
      // The next read overwrites these bytes.
      const block = read.state === 'read' ? read.bytes.toString('utf8') : '';
      // Empty in the middle of an exec: not yet its own.
      if (!processes.isStill({ pid, startTicks }) || block === '') return null;
      const env = variablesIn(block);
      kept.set(pid, { startTicks, env });
      return env;
    },
    /** Takes the newest table: what is kept of processes that are gone is dropped. */
    take(table: ProcessTable): void {
      for (const [pid, { startTicks }] of kept) {
        if (table.byPid.get(pid)?.startTicks !== startTicks) kept.delete(pid);
      }
    },
  };
}

// The first of two equal names counts, as for getenv.
function variablesIn(block: string): Environment {
  const env: Record<string, string> = Object.create(null);
  for (const variable of block.split('\0')) {
    const at = variable.indexOf('=');
    const name = variable.slice(0, at);
    if (at > 0 && !(name in env)) env[name] = variable.slice(at + 1);
  }
  return env;
}
