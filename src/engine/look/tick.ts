import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { Departed } from '../../core/memory/departed.ts';
import { isOfHere, lastSeenIn, type Recollection, recall } from '../../core/memory/recollection.ts';
import { once } from '../../core/once.ts';
import { indexProcesses } from '../../core/sight/pane-processes.ts';
import type { Problem, Roll } from '../../core/sight/roll.ts';
import { isServerNamed } from '../../core/sight/server-named.ts';
import type { PaneSighting, ServerSighting } from '../../core/sight/sighting.ts';
import { isEndTold, withProvenEnds } from '../../core/verdict/proven-end.ts';
import { byWorstFirst } from '../../core/verdict/rank.ts';
import type { DeclaredReading } from '../../ports/declared-facts.ts';
import { declaredProblems, factsAbout, factsIn } from './declared-standing.ts';
import { hearAgents } from './hear-agents.ts';
import { judgeAll } from './judge-all.ts';
import type { LookOptions } from './look.ts';
import { lookAtServer, type Scene, type ServerLook } from './look-at-server.ts';
import { closedEntries, goneEntries, movedProblems } from './lost.ts';
import { findMarked } from './marked-processes.ts';
import type { Parts, Settles } from './parts.ts';
import { problemsOf, TMUX_MISSING } from './problems.ts';
import { createProcessReader } from './process-reader.ts';
import { rememberAll } from './remember-all.ts';
import { labelOf } from './session-entry.ts';
import { unansweredEntries } from './unanswered.ts';

/** One tick's roll, and what the next tick builds on. */
export interface Ticked {
  readonly roll: Roll;
  readonly recollection: Recollection;
}

/** Sense, classify, remember. Touches nothing that it looks at. */
export async function tick(parts: Parts, stored: Recollection | null, options: LookOptions): Promise<Ticked> {
  const { servers, scene } = await senseAll(parts, stored);
  const seen = servers.flatMap((server) =>
    server.state === 'present' ? [lookAtServer(server, scene, parts)] : [],
  );
  await wakeUnsure(seen, scene, parts);
  const looks = seen.flatMap((server) => server.sessions);
  const judged = await judgeAll(looks, await hearAgents(looks, scene, parts), scene, parts, options);
  const known = [...judged.entries, ...unansweredEntries(servers, scene, parts)];
  const gone = goneEntries(servers, known, scene, parts.ends);
  const over = options.isWithClosed
    ? [...gone, ...closedEntries(known, scene)]
    : gone.filter(({ lifecycle }) => lifecycle !== 'closed');
  const entries = [...known, ...over];
  const recollection = rememberAll(seen, servers, { ...judged, entries: known, gone }, scene);
  const isWanted = ({ socketPath }: { readonly socketPath: string }) =>
    options.servers === undefined || isServerNamed(socketPath, options.servers);
  const isOnWanted = ({ server }: { readonly server: { readonly socketPath: string } }) => isWanted(server);
  const roll: Roll = {
    host: scene.host,
    at: scene.now.at,
    memory: parts.host.memory(),
    servers: seen
      .map(({ server: { socketPath, version, pid, startTicks } }) => ({
        ...{ socketPath, label: labelOf(socketPath), version, pid, startTicks },
      }))
      .filter(isWanted),
    sessions: entries.filter(isOnWanted).sort(byWorstFirst),
    problems: [
      ...(seen.length > 0 || parts.isTmuxInstalled() ? [] : [TMUX_MISSING]),
      ...hookProblems(parts),
      ...declaredProblems(scene.declared),
      ...movedProblems(judged.entries.filter(isOnWanted), scene),
      ...problemsOf(
        servers.filter(isWanted),
        scene.table,
        recollection.farewells.filter(isWanted),
        scene.now.at,
      ),
    ],
    ...(options.withDeparted && {
      departed: departedIn(recollection, scene).filter(isOnWanted),
    }),
  };
  return { roll, recollection };
}

async function senseAll(
  parts: Parts,
  stored: Recollection | null,
): Promise<{ readonly servers: readonly ServerSighting[]; readonly scene: Scene }> {
  const host = parts.host.identity();
  const expected = factsIn(await parts.declared.current());
  const earlier = stored !== null && isOfHere(stored, host) ? stored : null;
  // Rates are between one reading of the process table and the next, whatever tmux takes for its answer.
  const seeProcesses = once(() => {
    const sensedAt = parts.host.now();
    const elapsedMs = earlier ? Math.max(0, sensedAt.awakeMs - earlier.awakeMs) : 0;
    const table = parts.processes.sense();
    const index = indexProcesses(table.byPid);
    const reader = createProcessReader(index, earlier, elapsedMs, parts);
    return { table, index, reader, elapsedMs, memory: recall(stored, host, sensedAt) };
  });
  const told = await parts.tmux.sense(() => seeProcesses().table);
  const servers = told.map((server) => withProvenEnds(server, seeProcesses().table));
  const declared = await parts.declared.current();
  const now = parts.host.now();
  const marked = findMarked(servers, seeProcesses().index, parts.processes);
  const lastSeenAt = (key: string) => (stored ? lastSeenIn(stored, key) : undefined);
  const lives = stored?.lives ?? {};
  const settles = await settlesIn(declared, parts);
  const seen = { ...seeProcesses(), marked, declared, expected, ...(settles && { settles }) };
  return { servers, scene: { ...seen, host, now, lastLookAt: stored?.at ?? now.at, lastSeenAt, lives } };
}

// Asked only where it matters to somebody: most looks find nothing that is complete.
async function settlesIn(declared: DeclaredReading, { settles }: Parts): Promise<Settles | undefined> {
  const isAny = [...factsIn(declared).values()].some(
    (facts) => facts.completion !== null && facts.closed === null,
  );
  return isAny ? settles?.() : undefined;
}

function hookProblems({ hooks }: Parts): Problem[] {
  const text = hooks.problem();
  const hint = 'looks go on without them; rollcall hooks status shows where they are written to';
  return text === null ? [] : [{ code: 'hooks-unheard', text, hint }];
}

/** Everything that is known to be gone: by the looks so far, and by what rollcall itself has closed. Newest first. */
function departedIn({ departed = [] }: Recollection, { declared }: Scene): Departed[] {
  const facts = factsIn(declared);
  const seen = departed.map((one) => ({ ...one, ...closingOf(facts.get(one.key)) }));
  const keys = new Set(departed.filter(({ isPanesOnly }) => !isPanesOnly).map(({ key }) => key));
  const closed = [...facts.values()].filter(({ key }) => !keys.has(key)).flatMap(closedIn);
  return [...seen, ...closed].sort((a, b) => b.lastSeenAt - a.lastSeenAt);
}

function closingOf(facts: SessionFacts | undefined): Pick<Departed, 'closed'> {
  if (facts?.closed == null) return {};
  const { at, receipt } = facts.closed;
  return { closed: { at, receipt } };
}

// One that was reopened has another key since.
function closedIn(facts: SessionFacts): Departed[] {
  const { key, name, origin, closed } = facts;
  if (closed === null || origin?.place == null) return [];
  const lastSeenAt = closed.at;
  return [{ ...origin.place, key, name, panes: [], isPanesOnly: false, lastSeenAt, ...closingOf(facts) }];
}

/** Where tmux has missed that a program ended which rollcall started, it is made to notice; the next look sees it. */
async function wakeUnsure(
  seen: readonly ServerLook[],
  { declared }: Pick<Scene, 'declared'>,
  { tmux }: Pick<Parts, 'tmux'>,
): Promise<void> {
  const unsure = seen.filter(({ sessions }) =>
    sessions.some(
      ({ key, session }) =>
        session.panes.some(isUnsure) && factsAbout(declared, key)?.origin?.run !== undefined,
    ),
  );
  await Promise.all(unsure.map(({ server }) => tmux.wake(server.socketPath)));
}

function isUnsure(pane: PaneSighting): boolean {
  return (pane.isDead || pane.hasNoTerminal === true) && !isEndTold(pane);
}
