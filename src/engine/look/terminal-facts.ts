import type { Process } from '../../core/sight/process.ts';
import { type InLine, terminalPlace } from '../../core/verdict/whose.ts';
import type { OpenFileSensor, ProcessSensor } from '../../ports/sensor.ts';

/** What a process was started with; nothing where that cannot be read. */
export function argvOf(process: Process, sensor: Pick<ProcessSensor, 'details'>): readonly string[] {
  const details = sensor.details([process], { io: false, memory: false, cwd: false });
  return details.get(process.pid)?.argv ?? [];
}

/** What is known of terminals for each in a line of processes that stand above one another. */
export type TerminalFacts = (line: readonly Process[]) => Pick<InLine, 'terminal' | 'keepsTerminal'>[];

/**
 * Makes the reader for one table. What a process has open is dear to read, so it is asked only where it decides: of what has
 * no terminal, and of everything above what has another one than a pane's.
 */
export function createTerminalFacts(
  byPid: ReadonlyMap<number, Process>,
  { keepTerminals }: Pick<OpenFileSensor, 'keepTerminals'>,
): TerminalFacts {
  const known = new Map<number, boolean | null | undefined>();
  const keeps = (process: Process): boolean | null | undefined => {
    if (!known.has(process.pid)) known.set(process.pid, keepTerminals([process]).get(process.pid));
    return known.get(process.pid);
  };
  return (line) => {
    const places = line.map((process) => terminalPlace(process, byPid));
    const other = places.indexOf('other');
    return line.map((process, at) => {
      const terminal = places[at] ?? null;
      const isAsked = terminal === 'none' || (other !== -1 && at > other);
      const keepsTerminal = isAsked ? keeps(process) : undefined;
      return { terminal, ...(keepsTerminal !== undefined && { keepsTerminal }) };
    });
  };
}
