import { processKey } from '../sight/identity.ts';
import { commonName, type Process } from '../sight/process.ts';
import type { Attribution, KnownProcesses } from './around.ts';
import type { ProcessFacts } from './facts.ts';
import type { ProcessProgress, Stranger } from './process-scene.ts';
import { whyNotAsleep } from './rest.ts';
import { whyTied } from './ties.ts';

type Found = Attribution & { readonly stranger: Stranger };

/**
 * Of what outlived a session of ours, only what is positively known to be a leftover helper stays an orphan: a helper by
 * its program, started by an agent, asleep over two readings, and nobody is left who can talk to it. Whoever could is an
 * orphan itself. Everything else may be wanted, whatever it is called, and is only told, with all that hangs together with it.
 */
export function settleAll<F extends Found>(
  all: readonly F[],
  facts: ProcessFacts,
  around: KnownProcesses,
): F[] {
  const why = new Map<number, string>();
  const orphans = new Map<number, F>();
  for (const one of all) {
    if (one.class !== 'ours-orphaned') continue;
    const { pid } = one.stranger.process;
    const wanted = whyWanted(one, facts, around);
    if (wanted === null) orphans.set(pid, one);
    else why.set(pid, wanted);
  }
  // Each that goes may be what another one belongs to.
  for (let before = -1; before !== orphans.size; ) {
    before = orphans.size;
    for (const [pid, one] of orphans) {
      const wanted = whyInUse(one, orphans, facts);
      if (wanted === null) continue;
      orphans.delete(pid);
      why.set(pid, wanted);
    }
  }
  return all.map((one) => {
    const { process, progress, ties } = one.stranger;
    const isUnread = orphans.has(process.pid) && (progress === null || ties === undefined);
    const reason = isUnread ? UNSEEN : why.get(process.pid);
    return reason === undefined || one.class !== 'ours-orphaned'
      ? one
      : { ...one, class: 'left-running', text: `${one.text}; ${reason}` };
  });
}

/** Whether only a second reading is missing. */
export function isUnseen({ class: of, text }: Attribution): boolean {
  return of === 'left-running' && text.endsWith(UNSEEN);
}

const UNSEEN = 'whether it works was not seen yet';

/** Why it may be wanted, by what it tells of itself; null where everything read so far says that it is left over. */
function whyWanted(found: Found, facts: ProcessFacts, around: KnownProcesses): string | null {
  const { stranger } = found;
  const { process, program, progress, ignoresHangup, helper, ties } = stranger;
  if (progress !== null && isAtWork(progress)) return `it works: ${used(progress)}`;
  if (program.role === 'agent') return 'an agent may be at work without a terminal';
  if (helper === null) return 'nothing proves that it is a helper of an agent';
  if (ignoresHangup !== false) {
    return ignoresHangup === null
      ? 'whether it was detached on purpose cannot be read'
      : 'it was detached on purpose (nohup)';
  }
  if (process.sid === process.pid) return 'it was detached on purpose: it leads a session of its own';
  if (!isAgents(stranger, around)) return 'nothing proves that an agent started it';
  const agent = livingAgent(stranger, facts);
  if (agent !== null) return `the agent that started it, pid ${agent}, lives`;
  const awake = progress === null ? null : whyNotAsleep(progress.rests);
  if (awake !== null || ties === undefined) return awake;
  return whyTied(ties, serverTicksOf(found), facts.table);
}

// By what agents write into the environment of what they start, or by the record of a close that had it in its list.
function isAgents({ marks, process }: Stranger, { recorded }: KnownProcesses): boolean {
  const isMarked = marks !== null && (marks.agent !== null || marks.agentPids.length > 0);
  return isMarked || recorded.processes.get(processKey(process))?.by === 'the ledger';
}

// Whatever bears the number now and is younger is another process.
function livingAgent({ process, marks }: Stranger, { table: { byPid } }: ProcessFacts): number | null {
  const isIt = (one: Process | undefined) =>
    one !== undefined && one.state !== 'Z' && one.startTicks <= process.startTicks;
  return marks?.agentPids.find((pid) => isIt(byPid.get(pid))) ?? null;
}

// What was started in a session comes from below its server, whose start mark is in the session's key. An orphan has one.
function serverTicksOf({ session }: Attribution): number {
  return Number((session as { readonly key: string }).key.split('.')[3]);
}

/** Who is left that it works for, or that works for it, besides other leftovers; null where nobody is. */
function whyInUse(found: Found, orphans: ReadonlyMap<number, Found>, facts: ProcessFacts): string | null {
  const { process, ties } = found.stranger;
  const { byPid } = facts.table;
  const parent = byPid.get(process.ppid);
  const isLeft = isForsaken(process, parent, serverTicksOf(found), facts);
  if (!isLeft && !orphans.has(process.ppid)) {
    return parent === undefined
      ? 'what it runs below cannot be seen'
      : `it runs below ${commonName(parent)} (pid ${parent.pid}), which lives`;
  }
  const below = [...byPid.values()].find(
    ({ pid, ppid, state }) => ppid === process.pid && state !== 'Z' && !orphans.has(pid),
  );
  if (below !== undefined) return `${commonName(below)} (pid ${below.pid}) runs below it`;
  const holder = ties?.holders.find((pid) => !orphans.has(pid));
  if (holder === undefined) return null;
  const it = byPid.get(holder);
  const name = it === undefined ? 'a process' : commonName(it);
  return `${name} (pid ${holder}) can talk to it, through a pipe or a file`;
}

// Whoever started it has ended, and process 1, the tmux server or a reaper took it over: what is older than the server that
// it came from cannot have started it.
function isForsaken(
  { ppid }: Process,
  parent: Process | undefined,
  serverTicks: number,
  { processes: { serverPids } }: ProcessFacts,
): boolean {
  return ppid === 1 || serverPids.has(ppid) || (parent !== undefined && parent.startTicks < serverTicks);
}

// A tick of the clock, and what an event loop at rest uses.
const REST_MS = 20;
const REST_SHARE = 0.01;

function isAtWork({ cpuMs, elapsedMs, ioBytes }: ProcessProgress): boolean {
  return cpuMs > REST_MS + elapsedMs * REST_SHARE || (ioBytes ?? 0) > 0;
}

function used({ cpuMs, elapsedMs, ioBytes }: ProcessProgress): string {
  return `${Math.round((cpuMs / elapsedMs) * 100)} % of a core, ${Math.round((ioBytes ?? 0) / 1024)} KiB`;
}
