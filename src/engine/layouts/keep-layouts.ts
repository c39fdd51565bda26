import { closingPanes } from '../../core/close/closing-pane.ts';
import type { Layout } from '../../core/layout/layout.ts';
import { nextLayout } from '../../core/layout/next-layout.ts';
import { isLayoutDue, isSeenWhole, layoutPrint, takeLayout } from '../../core/layout/take-layout.ts';
import { isExpected } from '../../core/memory/lost.ts';
import { identityOf, isGone, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import type { TmuxActuator } from '../../ports/actuator.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Layouts } from '../../ports/records.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { dropLayouts } from './drop-layouts.ts';

/** What layouts are taken with. */
export interface LayoutParts {
  readonly tmux: Pick<TmuxActuator, 'layout'>;
  readonly processes: Pick<ProcessSensor, 'details' | 'environment'>;
  readonly layouts: Layouts;
  readonly ledger: Pick<Ledger, 'facts'>;
  now(): number;
}

/** Keeps how the sessions of a roll are laid out; tells what could not be kept, and never throws for that. */
export type KeepLayouts = (roll: Pick<Roll, 'sessions'>) => Promise<string | null>;

type Known = Pick<Layout, 'print' | 'at' | 'lackingSince'>;

/**
 * One that remembers what it has written, for as long as it lives. Only sessions that changed are asked for more, so that a
 * round with nothing new in it costs no call of tmux.
 */
export function createLayoutKeeper(parts: LayoutParts): KeepLayouts {
  const known = new Map<string, Known>();
  return async ({ sessions }) => {
    const { folded, damage } = parts.ledger.facts();
    const own = sessions.filter((entry) => !isGone(entry) && isExpected(folded.facts.get(entry.key)));
    let problem: string | null = null;
    for (const entry of own.filter(isSeenWhole)) {
      try {
        await keep(parts, known, entry);
      } catch (error) {
        problem = visible(`how '${entry.name}' is laid out was not kept: ${(error as Error).message}`, 600);
      }
    }
    if (damage === null) dropLayouts(parts, folded);
    for (const key of known.keys()) if (!folded.facts.has(key)) known.delete(key);
    return problem;
  };
}

async function keep(parts: LayoutParts, known: Map<string, Known>, entry: SessionEntry): Promise<void> {
  const { key } = entry;
  const print = layoutPrint(entry);
  const at = parts.now();
  const last = known.get(key);
  if (last !== undefined && !isLayoutDue(last, print, at)) return;
  const reading = parts.layouts.of(key);
  const before = reading.state === 'read' ? reading.layout : null;
  if (last === undefined && before !== null && !isLayoutDue(before, print, at)) {
    known.set(key, before);
    return;
  }
  const seen = await take(parts, entry, print, at);
  const next = seen && nextLayout(before, seen);
  if (next === null) return;
  parts.layouts.keep(next);
  known.set(key, next);
}

async function take(
  { tmux, processes }: LayoutParts,
  entry: SessionEntry,
  print: string,
  at: number,
): Promise<Layout | null> {
  const windows = await tmux.layout(identityOf(entry));
  if (windows === null) return null;
  const panes = closingPanes(entry, at);
  const startedAs = processes.details(
    panes.flatMap((pane) => pane.processes),
    { io: false, memory: false },
  );
  const environments = new Map(
    panes.flatMap(({ agent }) => {
      const env = agent && processes.environment(agent);
      return agent && env ? [[agent.pid, env] as const] : [];
    }),
  );
  return takeLayout({ at, entry, panes, windows, startedAs, environments }, print);
}
