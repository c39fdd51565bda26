import type { Diagnosis, Said } from './leftover-room.ts';
import type { MarkedProcess } from './marked-processes.ts';
import { isSameRunning, wordsOf } from './marked-processes.ts';
import { NotReached } from './until.ts';

/** Every one of these processes has to be found, with this class and, where one is named, for this session. */
export function expectClass(
  { said }: Diagnosis,
  processes: readonly MarkedProcess[],
  wanted: { readonly class: string; readonly session?: string },
): readonly Said[] {
  return processes.map(({ pid }) => {
    const found = said.find((one) => one.pid === pid);
    const which = `${wordsOf(pid).join(' ')} (pid ${pid})`;
    if (found === undefined) throw new NotReached(`the doctor does not know ${which}`);
    if (found.class !== wanted.class)
      throw new NotReached(`${found.class}, not ${wanted.class}: ${found.text}`);
    if (wanted.session !== undefined && found.session !== wanted.session)
      throw new NotReached(`${which} is said to be of session ${found.session}, not ${wanted.session}`);
    return found;
  });
}

/** What is said of these is that they belong to a session that lives, to this one; of a tool in its pane nothing is said. */
export function expectOnlyLiving(
  { said }: Diagnosis,
  processes: readonly MarkedProcess[],
  session: string,
): void {
  const told = said.filter((one) => processes.some(({ pid }) => pid === one.pid));
  if (told.length === 0) throw new NotReached(`the doctor knows no process of session ${session}`);
  for (const one of told) {
    if (one.class !== 'belongs-to-a-live-session' || one.session !== session)
      throw new NotReached(`${one.class}, of session ${one.session}: ${one.text}`);
  }
}

/** Exactly these processes may be offered to be ended, none too many and none too few. */
export function expectFixable({ said }: Diagnosis, processes: readonly MarkedProcess[]): void {
  const offered = pidsOf(said.filter(({ fixable }) => fixable));
  const left = pidsOf(processes);
  if (offered !== left)
    throw new NotReached(`to be ended would be ${offered || 'none'}, left are ${left || 'none'}`);
}

/** None of these has been touched. */
export function expectRunning(processes: readonly MarkedProcess[]): void {
  const ended = processes.filter((one) => !isSameRunning(one));
  if (ended.length > 0) throw new NotReached(`pid ${pidsOf(ended)} has been ended`);
}

/** How many processes there are, what they run and what they hold, for the page. */
export function named(said: readonly Said[]): string {
  const counts = new Map<string, number>();
  for (const { text } of said) {
    const program = text.slice(0, text.indexOf(','));
    counts.set(program, (counts.get(program) ?? 0) + 1);
  }
  const programs = [...counts].map(([program, count]) => (count === 1 ? program : `${program} ×${count}`));
  const bytes = said.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0);
  return `${programs.join(', ')}; ${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function pidsOf(processes: readonly { readonly pid?: number }[]): string {
  return processes
    .map(({ pid = 0 }) => pid)
    .sort((a, b) => a - b)
    .join(', ');
}
