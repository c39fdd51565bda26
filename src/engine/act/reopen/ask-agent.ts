import { paneMarkIn } from '../../../core/sight/marks.ts';
import type { Process, ProcessDetails } from '../../../core/sight/process.ts';
import type { AgentAdapter, AgentReading } from '../../../ports/agent.ts';
import { placesIn } from '../conversations/keep.ts';
import type { Hands } from '../hands.ts';

/** A process that names an agent. */
export interface NamedAgent {
  readonly process: Process;
  readonly known: ProcessDetails;
}

/**
 * What an agent says of its conversation, asked by itself. `isUnasked`: it would say so, and could not be asked, so it may be in
 * any. One that says nothing where it was asked has said none.
 */
export interface AgentWord {
  readonly conversation: string | null;
  readonly isUnasked: boolean;
}

const UNASKED: AgentWord = { conversation: null, isUnasked: true };
export const SAYS_NONE: AgentWord = { conversation: null, isUnasked: false };

/** Asks an agent which conversation it has. Where its own folders give no answer, nobody waits for them. */
export async function askAgent(
  hands: Hands,
  adapter: AgentAdapter,
  { process, known }: NamedAgent,
): Promise<AgentWord> {
  const { processes } = hands;
  const env = processes.environment(process);
  if (env === null) return processes.reach(process).state === 'gone' ? SAYS_NONE : UNASKED;
  const folders = Object.values(placesIn(env));
  const areThere = await Promise.all(folders.map((folder) => hands.isFolder(folder)));
  if (folders.length === 0 || areThere.includes(false)) return UNASKED;
  const inside = processes.placesOf([process]).get(process.pid)?.pidInside ?? process.pid;
  const word = wordIn(await listenTo(hands, adapter, { process, known, env }));
  if (inside === process.pid || word.conversation !== null) return word;
  // It knows itself by the number that it has in its container.
  const own = { process: { ...process, pid: inside }, known, env };
  const inner = wordIn(await listenTo(hands, adapter, own));
  return inner.conversation === null ? UNASKED : inner;
}

function wordIn(reading: AgentReading | undefined): AgentWord {
  const { conversation = null, failures = [], isOnlyNamed = false } = reading ?? {};
  return { conversation, isUnasked: failures.length > 0 && (conversation === null || isOnlyNamed) };
}

interface Asked extends NamedAgent {
  readonly env: Readonly<Record<string, string>>;
}

// In a pane it is asked as a look asks it, with the mark that it bears of that pane.
async function listenTo(
  { hooks, now }: Hands,
  adapter: AgentAdapter,
  { process: { pid, startTicks, startedAt }, known: { argv, cwd }, env }: Asked,
): Promise<AgentReading | undefined> {
  const { paneId = '', socketPath = '', serverPid = 0 } = paneMarkIn(env) ?? {};
  return adapter.listen?.({
    agent: { pid, startTicks, startedAt, argv, ...(cwd !== undefined && { cwd }), env: () => env },
    ...{ paneId, title: '', server: { socketPath, pid: serverPid }, launchers: [], others: () => [] },
    ...{ hooks: adapter.hooks === undefined ? [] : hooks.about(adapter.kind), now: now() },
  });
}
