import { paneMarkIn } from '../../../core/sight/marks.ts';
import type { Process, ProcessDetails } from '../../../core/sight/process.ts';
import type { AgentAdapter, AgentReading, MayBeIn } from '../../../ports/agent.ts';
import { placesIn } from '../conversations/keep.ts';
import type { Hands } from '../hands.ts';

/** A process that names an agent. */
export interface NamedAgent {
  readonly process: Process;
  readonly known: ProcessDetails;
}

/** What an agent says of its conversation, asked by itself, and in which it may be besides. */
export interface ConversationWord {
  readonly conversation: string | null;
  readonly mayBeIn: MayBeIn;
}

/** It would say which one it has, and could not be asked. */
const UNASKED: ConversationWord = { conversation: null, mayBeIn: 'any' };
/** One that says nothing where it was asked has said none. */
export const SAYS_NONE: ConversationWord = { conversation: null, mayBeIn: [] };

/** Asks an agent which conversation it has. Where its own folders give no answer, nobody waits for them. */
export async function askAgent(
  hands: Hands,
  adapter: AgentAdapter,
  { process, known }: NamedAgent,
): Promise<ConversationWord> {
  const { processes } = hands;
  const env = processes.environment(process);
  if (env === null) return processes.reach(process).state === 'gone' ? SAYS_NONE : UNASKED;
  // Where it keeps what it says is not known.
  if (Object.keys(placesIn(env)).length === 0) return UNASKED;
  const pidInside = processes.placesOf([process]).get(process.pid)?.pidInside ?? process.pid;
  try {
    const reading = await listenTo(hands, adapter, { process, known, env, pidInside });
    const { conversation = null, mayBeIn = [], isOnlyNamed = false } = reading ?? {};
    // What tells of it may know it by the other number.
    const isFar = pidInside !== process.pid && (conversation === null || isOnlyNamed);
    return { conversation, mayBeIn: isFar ? 'any' : mayBeIn };
  } catch {
    return UNASKED;
  }
}

interface Asked extends NamedAgent {
  readonly env: Readonly<Record<string, string>>;
  readonly pidInside: number;
}

// In a pane it is asked as a look asks it, with the mark that it bears of that pane.
async function listenTo(
  { hooks, now }: Hands,
  adapter: AgentAdapter,
  { process: { pid, startTicks, startedAt }, known: { argv, cwd }, env, pidInside }: Asked,
): Promise<AgentReading | undefined> {
  const { paneId = '', socketPath = '', serverPid = 0 } = paneMarkIn(env) ?? {};
  const own = { pid, pidInside, startTicks, startedAt, argv, env: () => env };
  return adapter.listen?.({
    agent: { ...own, ...(cwd !== undefined && { cwd }) },
    ...{ paneId, title: '', server: { socketPath, pid: serverPid }, launchers: [], others: () => [] },
    ...{ hooks: adapter.hooks === undefined ? [] : hooks.about(adapter.kind), now: now() },
  });
}
