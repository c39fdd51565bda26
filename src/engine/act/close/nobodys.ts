import { processKey } from '../../../core/sight/identity.ts';
import type { Process, ProcessTable } from '../../../core/sight/process.ts';
import { programName } from '../../../core/sight/program.ts';
import {
  type Claim,
  type InLine,
  lineInPane,
  lineOf,
  type Whose,
  whose,
} from '../../../core/verdict/whose.ts';
import { argvOf, createTerminalFacts } from '../../look/terminal-facts.ts';
import type { Hands } from '../hands.ts';

type Knowing = Pick<Hands, 'processes' | 'agents' | 'owners'>;

/** Judges to whom processes belong now, by one process table. What several of them have above them is read once. */
export function judging(
  { processes, agents, owners }: Knowing,
  table: ProcessTable,
  server: Claim['server'] = { startTicks: 0 },
): (process: Process, by: Claim['by']) => Whose {
  const known = new Map<number, InLine>();
  const inLine = (process: Process): InLine => {
    const found = known.get(process.pid);
    if (found !== undefined) return found;
    const argv = argvOf(process, processes);
    const isShared = agents.some((agent) => agent.isShared?.(argv) ?? false);
    const [first] = argv;
    const one = { process, program: first === undefined ? null : programName(first), isShared };
    known.set(process.pid, one);
    return one;
  };
  const terminals = createTerminalFacts(table.byPid, processes);
  return (process, by) => {
    const all = by === 'mark' ? lineOf(process, table.byPid) : lineInPane(process, table.byPid);
    const facts = terminals(all);
    const [first, ...above] = all.map((one, at) => ({ ...inLine(one), ...facts[at] }));
    const uid = owners.uids([process]).get(process.pid) ?? null;
    const line: Claim['line'] = [{ ...(first as InLine), uid }, ...above];
    return whose({ by, server, line, ownUid: owners.own });
  };
}

/** Which of these processes must not be ended now, and why, by their keys. Asked before every signal. */
export function nobodysAmong(
  hands: Knowing,
  marks: readonly Pick<Process, 'pid' | 'startTicks'>[],
): ReadonlyMap<string, string> {
  const table = hands.processes.sense();
  const judge = judging(hands, table);
  return new Map(
    marks.flatMap((mark) => {
      const process = table.byPid.get(mark.pid);
      if (process?.startTicks !== mark.startTicks) return [];
      const judged = judge(process, 'record');
      return judged.of === 'nobody' ? [[processKey(mark), judged.why] as const] : [];
    }),
  );
}
