import { isExpected } from '../../core/memory/lost.ts';
import type { RememberedServer } from '../../core/memory/recollection.ts';
import { followLife, type SeenLife } from '../../core/memory/seen-life.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { factsIn } from './declared-standing.ts';
import type { Scene, ServerLook } from './look-at-server.ts';

/**
 * What was seen of the sessions that the ledger expects. Kept for as long as they are expected, also by a look that does not
 * see them: what once spoke against an end must not be forgotten because a server was slow or the ledger was not read.
 */
export function rememberLives(
  seen: readonly ServerLook[],
  servers: Readonly<Record<string, RememberedServer>>,
  entries: ReadonlyMap<string, SessionEntry>,
  { lives: before, declared, memory: { at, awakeMs } }: Pick<Scene, 'lives' | 'declared' | 'memory'>,
): Readonly<Record<string, SeenLife>> {
  const facts = factsIn(declared);
  const isKept = (key: string) => declared.state !== 'read' || isExpected(facts.get(key));
  const kept = Object.entries(before).filter(([key]) => isKept(key));
  const followed = seen.flatMap(({ key: serverKey, sessions }) =>
    sessions.flatMap(({ key }) => {
      const [known, entry] = [facts.get(key), entries.get(key)];
      const remembered = servers[serverKey]?.sessions[key];
      if (!isExpected(known) || entry === undefined || remembered === undefined) return [];
      const { activity, agent } = entry;
      const standing = { at, awakeMs, activity, hasAgent: agent !== null };
      const panes = Object.values(remembered.panes);
      return [[key, followLife(before[key], { ...standing, panes }, known)] as const];
    }),
  );
  const lives = Object.entries(Object.fromEntries([...kept, ...followed]));
  return Object.fromEntries(lives.filter(([, life]) => Object.keys(life).length > 0));
}
