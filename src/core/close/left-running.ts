import { processKey } from '../sight/identity.ts';
import type { Process } from '../sight/process.ts';
import { programOf } from '../sight/program.ts';
import type { WindowPlan } from '../sight/window.ts';
import { visible } from '../text/visible.ts';
import type { KeptDocument } from './kept-document.ts';
import { commandShown } from './one-program.ts';
import { startedWords } from './pane-command.ts';
import type { Reopening } from './reopening.ts';

/** A process that outlived the pane it was in. */
export type Left = Pick<Process, 'pid' | 'comm'>;

/** Whether its first pane would run a program that is neither an agent, which has rules of its own, nor a plain shell. */
export function runsItsOwn({ agent, argv, line }: Pick<Reopening, 'agent' | 'argv' | 'line'>): boolean {
  if (agent !== null) return false;
  return line !== undefined || (argv !== null && programOf('', argv, () => null).role !== 'shell');
}

/** The panes beside the first, by their ids. */
export function otherPanes({ windows }: Pick<Reopening, 'windows'>): readonly string[] {
  return windows.flatMap(({ panes }) =>
    panes.flatMap(({ paneId, isThere }) => (isThere ? [] : (paneId ?? []))),
  );
}

/** Puts a plain shell into each pane of which something still runs, and says so. */
export function withoutRunning(whole: Reopening, left: (paneId: string) => readonly Left[]): Reopening {
  const running = new Map(
    otherPanes(whole).flatMap((paneId) => {
      const all = left(paneId);
      return all.length === 0 ? [] : [[paneId, all] as const];
    }),
  );
  if (running.size === 0) return whole;
  const windows = withPanes(whole, (pane) => {
    const { command: _, ...bare } = pane;
    return running.has(pane.paneId ?? '') ? bare : pane;
  });
  const missing = [...running].map(
    ([paneId, all]) => `pane ${paneId}: nothing is started in it, because it still runs: ${named(all)}`,
  );
  const isSaid = (text: string) =>
    text.includes('not run again') &&
    [...running.keys()].some((paneId) => text.startsWith(`pane ${paneId}: `));
  return { ...whole, windows, missing: [...whole.missing.filter((text) => !isSaid(text)), ...missing] };
}

function named(all: readonly Left[]): string {
  return all.map(({ pid, comm }) => `${visible(comm, 120)} (pid ${pid})`).join(', ');
}

/** Those that none of the others has started. */
export function topmost<P extends Pick<Process, 'pid' | 'ppid'>>(all: readonly P[]): P[] {
  const pids = new Set(all.map(({ pid }) => pid));
  return all.filter(({ ppid }) => !pids.has(ppid));
}

/** The processes that were seen in a pane, by their keys, without those that serve others too. */
export function seenInPane(document: KeptDocument | undefined, paneId: string): ReadonlySet<string> {
  const notes = document?.panes.find((pane) => pane.paneId === paneId)?.processes ?? [];
  return new Set(
    notes.flatMap(({ pid, startTicks, isKeeper, kept }) => {
      const isOthers = isKeeper === true || kept !== undefined;
      return pid == null || startTicks == null || isOthers ? [] : processKey({ pid, startTicks });
    }),
  );
}

/**
 * Whether a process can have been started below a server that is gone, by its age: the number of the server may be another
 * one's by now, and was another one's before.
 */
export function isOfAge(
  { startTicks }: Pick<Process, 'startTicks'>,
  server: Pick<Process, 'startTicks'>,
  successor: Pick<Process, 'startTicks'> | undefined,
): boolean {
  const isReplaced = successor !== undefined && successor.startTicks !== server.startTicks;
  return startTicks >= server.startTicks && (!isReplaced || startTicks < successor.startTicks);
}

/**
 * Puts panes whose folder is gone into the session's own folder. What such a pane ran is not started there: it would do its
 * work in another place.
 */
export function inOwnFolder(whole: Reopening, gone: ReadonlySet<string>): Reopening {
  const missing: string[] = [];
  const windows = withPanes(whole, (pane) => {
    const { command, ...bare } = pane;
    if (pane.isThere || !gone.has(pane.cwd)) return pane;
    const ran = command === undefined ? '' : `, without its command: ${commandShown(startedWords(command))}`;
    const which = pane.paneId === undefined ? 'a pane' : `pane ${pane.paneId}`;
    missing.push(
      `${which}: its folder is gone (${visible(pane.cwd)}), so it opens in ${visible(whole.cwd)}${ran}`,
    );
    return { ...bare, cwd: whole.cwd };
  });
  return missing.length === 0 ? whole : { ...whole, windows, missing: [...whole.missing, ...missing] };
}

type PanePlan = WindowPlan['panes'][number];

function withPanes({ windows }: Reopening, change: (pane: PanePlan) => PanePlan): WindowPlan[] {
  return windows.map((window) => ({ ...window, panes: window.panes.map(change) }));
}
