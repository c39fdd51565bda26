import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { outlivedBy, type Sighted, type Silent, silentIn } from '../../../core/close/outlived.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import { textIn } from '../../../core/ledger/json.ts';
import { processKey } from '../../../core/sight/identity.ts';
import { programOf } from '../../../core/sight/program.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { AgentAdapter } from '../../../ports/agent.ts';
import { inPanes } from '../close/sweep.ts';
import type { Hands } from '../hands.ts';
import { askAgent, type ConversationWord, type NamedAgent, SAYS_NONE } from './ask-agent.ts';
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
  const silent = await silentBeside(hands, { ...agent, cwd, conversation }, { found, all });
  if (silent.length === 0) return null;
  const isYoung = silent.every((one) => one.isYoung);
  return { state: 'silent', kind: agent.kind, pids: silent.map(({ pid }) => pid), isYoung };
}

/** All agents of this user. */
function agentsOf({ agents, processes, owners }: Hands): NamedAgent[] {
  const all = [...processes.sense().byPid.values()];
  const uids = owners.uids(all);
  const own = all.filter(({ pid }) => uids.get(pid) === owners.own);
  const details = processes.details(own, { io: false, memory: false });
  return own.flatMap((process) => {
    const known = details.get(process.pid);
    return known && namesAgent(agents, known.argv) ? [{ process, known }] : [];
  });
}

/** What each says. A pane may hold several, of which a look has listened to one: the others are asked themselves. */
async function sightedIn(
  hands: Hands,
  found: readonly NamedAgent[],
  kind: string | null,
  sessions: readonly SessionEntry[],
): Promise<Asked[]> {
  const { agents, processes } = hands;
  const shown = inPanes({ sessions }, ({ relation }) => relation !== 'outside');
  const heard = heardIn(sessions);
  return Promise.all(
    found.map(async (named) => {
      const { process, known } = named;
      const { pid } = process;
      const adapter = agents.find((one) => one.recognises(known.argv));
      const isAsked = adapter !== undefined && adapter.kind === kind;
      const told = heard.get(pid);
      // What a look was told may be what the command line names, and no more.
      const isHeard = told !== undefined && !namesIt(known.argv, told);
      const asked = isAsked && !isHeard ? await askAgent(hands, adapter, named) : SAYS_NONE;
      const word = isHeard ? { ...asked, conversation: told } : asked;
      const isMarked = adapter !== undefined && !shown.has(processKey(process));
      const run = isMarked ? (processes.environment(process)?.ROLLCALL_RUN ?? null) : null;
      return { pid, argv: known.argv, run, ...word };
    }),
  );
}

type Asked = Sighted & ConversationWord;

/** The conversations that looks were told of, by the pid of the agent. */
function heardIn(sessions: readonly SessionEntry[]): ReadonlyMap<number, string | undefined> {
  const pieces = sessions.flatMap(({ evidence }) => evidence.filter((piece) => piece.kind === 'agent'));
  return new Map(pieces.map(({ agentPid, conversation }) => [agentPid, conversation]));
}

// Also one that is no agent in a pane (`claude -p …`), or stands behind another program. A server of tmux has the words of its
// first session for ever, and what runs elsewhere has conversations of its own.
function namesAgent(agents: readonly AgentAdapter[], argv: readonly string[]): boolean {
  if (programOf('', argv, () => null).role === 'remote') return false;
  return argv.some((_, at) =>
    agents.some((one) => one.recognises(argv.slice(at, at + 1)) || one.recognises(argv.slice(at))),
  );
}

/** Everything that was seen of agents, in the process table and by their own word. */
interface Seen {
  readonly found: readonly NamedAgent[];
  readonly all: readonly Asked[];
}

/**
 * Agents of the same kind that may be in a conversation, because they have not said yet which one they are in: started by hand,
 * in a pane or not.
 */
async function silentBeside(
  hands: Hands,
  { kind, cwd, conversation }: Sought,
  seen: Seen,
): Promise<ReturnType<typeof silentIn>> {
  const adapter = hands.agents.find((one) => one.kind === kind);
  const isTalking = ({ known }: NamedAgent) => adapter?.recognises(known.argv) === true;
  const kin = seen.found.flatMap((one): Near[] => {
    const choice = adapter?.choice?.(one.known.argv, one.known.cwd) ?? null;
    if (choice === null) return [];
    const word = seen.all.find(({ pid }) => pid === one.process.pid) ?? SAYS_NONE;
    const isAmong = word.mayBeIn !== 'any' && word.mayBeIn.includes(conversation);
    const isUnasked = word.mayBeIn === 'any' || isAmong;
    return [{ ...one, choice, isUnasked, isAmong, said: word.conversation }];
  });
  // A launcher says nothing; what it has started does.
  const speakers = kin.filter((one) => !kin.some((other) => isTalking(other) && isStartedBy(one, other)));
  // One that names its conversation may have gone on to another since: it says so, unless it cannot be asked.
  const unsure = speakers.filter(({ choice, isUnasked }) => choice.how !== 'own' || isUnasked);
  if (unsure.length === 0) return [];
  const folder = (await hands.isFolder(cwd)) ? hands.realFolder(cwd) : cwd;
  const near = unsure.filter((one) => one.isAmong || isIn(folder, one));
  return silentIn(near.map((one) => toSilent(hands, one, isTalking(one))));
}

interface Sought {
  readonly kind: string;
  readonly cwd: string;
  readonly conversation: string;
}

interface Near extends NamedAgent {
  readonly choice: ConversationChoice;
  /** It may be in the very conversation, whatever it says. */
  readonly isUnasked: boolean;
  /** It is one of few. */
  readonly isAmong: boolean;
  readonly said: string | null;
}

function isStartedBy(launcher: Near, other: Near): boolean {
  const isChild = other.process.ppid === launcher.process.pid && other.choice.how === launcher.choice.how;
  return isChild && (other.known.cwd ?? launcher.known.cwd) === (launcher.known.cwd ?? other.known.cwd);
}

// Where the kernel does not tell its folder, it may be this one.
function isIn(cwd: string, { choice, known, isUnasked }: Near): boolean {
  const folder = choice.folder === undefined ? known.cwd : choice.folder;
  if (folder === undefined) return known.unseen !== 'elsewhere' && (choice.how === 'open' || isUnasked);
  return folder === null || folder === cwd;
}

function toSilent(
  { now, processes }: Hands,
  { process, choice: { how }, isUnasked, said: conversation }: Near,
  isTalking: boolean,
): Silent {
  const { pid, startedAt } = process;
  const run = processes.environment(process)?.ROLLCALL_RUN ?? null;
  return { pid, how, isTalking, isUnasked, conversation, ageMs: now() - startedAt, run };
}

function namesIt(argv: readonly string[], conversation: string): boolean {
  return argv.some((word) => word.includes(conversation));
}
