import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { outlivedBy, type Sighted, type Silent, silentIn } from '../../../core/close/outlived.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import { textIn } from '../../../core/ledger/json.ts';
import { processKey } from '../../../core/sight/identity.ts';
import type { Process, ProcessDetails } from '../../../core/sight/process.ts';
import { programOf } from '../../../core/sight/program.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { AgentAdapter } from '../../../ports/agent.ts';
import { inPanes } from '../close/sweep.ts';
import { placesIn } from '../conversations/keep.ts';
import type { Hands } from '../hands.ts';
import type { ReopenResult } from './order.ts';

/**
 * Why no agent may be started: another process is still at it. A program that ignores the end of its terminal outlives its
 * session, and whoever resumes by hand may do so outside of tmux, or behind another program in a pane. `entries`: of the
 * session and of everything that was made from it.
 */
export async function outlived(
  hands: Hands,
  { agent, cwd }: Pick<Reopening, 'agent' | 'cwd'>,
  sessions: readonly SessionEntry[],
  entries: readonly LedgerEntry[],
): Promise<Extract<ReopenResult, { state: 'outlived' | 'silent' }> | null> {
  const runs = new Set(entries.flatMap(({ body }) => textIn(body.run) ?? []));
  const conversation = agent?.conversation ?? null;
  const found = agentsOf(hands);
  const all = await sightedIn(hands, found, agent?.kind ?? null, sessions);
  const pids = outlivedBy(all, { runs, conversation }).map(({ pid }) => pid);
  if (pids.length > 0) return { state: 'outlived', kind: agent?.kind ?? 'an agent', pids };
  if (agent === null || conversation === null) return null;
  const silent = await silentBeside(hands, { kind: agent.kind, cwd }, { found, all, sessions });
  if (silent.length === 0) return null;
  const isYoung = silent.every((one) => one.isYoung);
  return { state: 'silent', kind: agent.kind, pids: silent.map(({ pid }) => pid), isYoung };
}

/** All agents of this user. */
function agentsOf({ agents, processes, owners }: Hands): OutlivedAgent[] {
  const all = [...processes.sense().byPid.values()];
  const uids = owners.uids(all);
  const own = all.filter(({ pid }) => uids.get(pid) === owners.own);
  const details = processes.details(own, { io: false, memory: false });
  return own.flatMap((process) => {
    const known = details.get(process.pid);
    return known && namesAgent(agents, known.argv) ? [{ process, known }] : [];
  });
}

/**
 * What each says. What a session shows was looked at there, but for its arguments: a pane may hold several. What only bears the
 * mark of a pane that shows something else by now has outlived its own program there: nobody has listened to it.
 */
async function sightedIn(
  hands: Hands,
  found: readonly OutlivedAgent[],
  kind: string | null,
  sessions: readonly SessionEntry[],
): Promise<Sighted[]> {
  const { agents, processes } = hands;
  const shown = inPanes({ sessions }, ({ relation }) => relation !== 'outside');
  return Promise.all(
    found.map(async ({ process, known }) => {
      const { argv } = known;
      const adapter = agents.find((one) => one.recognises(argv));
      const base = { pid: process.pid, argv, run: null, conversation: null };
      if (adapter === undefined || shown.has(processKey(process))) return base;
      const run = processes.environment(process)?.ROLLCALL_RUN ?? null;
      const conversation = adapter.kind === kind ? await toldBy(hands, adapter, process, known) : null;
      return { ...base, run, conversation };
    }),
  );
}

// Also one that is no agent in a pane (`claude -p …`), or stands behind another program. A server of tmux has the words of its
// first session for ever, and what runs elsewhere has conversations of its own.
function namesAgent(agents: readonly AgentAdapter[], argv: readonly string[]): boolean {
  if (programOf('', argv, () => null).role === 'remote') return false;
  return argv.some((_, at) =>
    agents.some((one) => one.recognises(argv.slice(at, at + 1)) || one.recognises(argv.slice(at))),
  );
}

/** Which conversation an agent says it has. Where its own folders give no answer, nobody waits for them. */
async function toldBy(
  hands: Hands,
  adapter: AgentAdapter,
  { pid, startTicks, startedAt }: Process,
  { argv, cwd }: ProcessDetails,
): Promise<string | null> {
  const env = hands.processes.environment({ pid, startTicks });
  const folders = Object.values(placesIn(env ?? {}));
  const areThere = await Promise.all(folders.map((folder) => hands.isFolder(folder)));
  if (env === null || folders.length === 0 || areThere.includes(false)) return null;
  const agent = { pid, startTicks, startedAt, argv, ...(cwd !== undefined && { cwd }), env: () => env };
  const reading = await adapter.listen?.({
    ...{ paneId: '', title: '', server: { socketPath: '', pid: 0 }, agent, launchers: [] },
    ...{ others: () => [], hooks: [], now: hands.now() },
  });
  return reading?.conversation ?? null;
}

/** A process that names an agent. */
export interface OutlivedAgent {
  readonly process: Process;
  readonly known: ProcessDetails;
}

/** Everything that was seen of agents: in the process table, by their own word, and in the sessions. */
interface Seen {
  readonly found: readonly OutlivedAgent[];
  readonly all: readonly Sighted[];
  readonly sessions: readonly SessionEntry[];
}

interface Near extends OutlivedAgent {
  readonly choice: ConversationChoice;
}

/**
 * Agents of the same kind that may be in any conversation of a folder, because they have not said yet which one they are in:
 * started by hand, in a pane or not.
 */
export async function silentBeside(
  hands: Hands,
  { kind, cwd }: { readonly kind: string; readonly cwd: string },
  seen: Seen,
): Promise<ReturnType<typeof silentIn>> {
  const adapter = hands.agents.find((one) => one.kind === kind);
  const kin = seen.found.flatMap(({ process, known }) => {
    const choice = adapter?.choice?.(known.argv, known.cwd) ?? null;
    return choice === null || choice.how === 'own' ? [] : [{ process, known, choice }];
  });
  // A launcher says nothing; what it has started does.
  const speakers = kin.filter(({ process, choice }) => {
    const isStarted = (other: Near) => other.process.ppid === process.pid && other.choice.how === choice.how;
    return !kin.some(isStarted);
  });
  if (speakers.length === 0) return [];
  const folder = (await hands.isFolder(cwd)) ? hands.realFolder(cwd) : cwd;
  const near = speakers.filter((one) => isIn(folder, one));
  return silentIn(
    near.map((one) => toSilent(hands, one, seen, adapter?.recognises(one.known.argv) === true)),
  );
}

// Where the kernel does not tell its folder, it may be this one.
function isIn(cwd: string, { choice, known }: Near): boolean {
  const folder = choice.folder === undefined ? known.cwd : choice.folder;
  if (folder === undefined) return known.unseen !== 'elsewhere' && choice.how === 'open';
  return folder === null || folder === cwd;
}

function toSilent(
  hands: Hands,
  { process, choice: { how } }: Near,
  { all, sessions }: Seen,
  isTalking: boolean,
): Silent {
  const { pid, startedAt } = process;
  const shown = sessions
    .flatMap(({ evidence }) => evidence)
    .find((one) => one.kind === 'agent' && one.agentPid === pid);
  const told = shown?.kind === 'agent' ? shown.conversation : undefined;
  return {
    ...{ pid, how, isTalking, ageMs: hands.now() - startedAt },
    conversation: told ?? all.find((one) => one.pid === pid)?.conversation ?? null,
    run: hands.processes.environment(process)?.ROLLCALL_RUN ?? null,
  };
}
