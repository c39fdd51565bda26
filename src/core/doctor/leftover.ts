import { processKey } from '../identity.ts';
import type { Process } from '../process.ts';
import type { Around } from './around.ts';
import type { Attribution } from './attribution.ts';
import type { ProcessFacts } from './facts.ts';
import type { Progress, Stranger } from './process-scene.ts';

/**
 * Of what outlived a session of ours, only what is positively known to be a leftover helper stays an orphan: a helper by
 * its program, of an agent that has ended by its marks or the ledger, idle over two readings, with nothing but helpers
 * below it. Everything else may be wanted, whatever it is called, and is only told.
 */
export function settled(
  found: Attribution,
  stranger: Stranger,
  facts: ProcessFacts,
  around: Around,
): Attribution {
  const why = whyWanted(stranger, facts, around) ?? (stranger.progress === null ? UNSEEN : null);
  return why === null ? found : { ...found, class: 'left-running', text: `${found.text}; ${why}` };
}

/** Whether only a second reading is missing. */
export function isUnseen({ class: of, text }: Attribution): boolean {
  return of === 'left-running' && text.endsWith(UNSEEN);
}

const UNSEEN = 'whether it works was not seen yet';

/** Why it may be wanted, as far as is known; null where everything says that it is left over. */
function whyWanted(stranger: Stranger, facts: ProcessFacts, around: Around): string | null {
  const { process, program, progress, ignoresHangup, helper } = stranger;
  if (isAtWork(progress)) return `it works: ${used(progress)}`;
  if (program.role === 'agent') return 'an agent may be at work without a terminal';
  if (helper === null) return 'nothing proves that it is a helper of an agent';
  if (ignoresHangup !== false) {
    return ignoresHangup === null
      ? 'whether it was detached on purpose cannot be read'
      : 'it was detached on purpose (nohup)';
  }
  if (process.sid === process.pid) return 'it was detached on purpose: it leads a session of its own';
  if (!isAgents(stranger, around)) return 'nothing proves that an agent started it';
  const below = [...facts.table.byPid.values()].find(
    (one) => one.ppid === process.pid && !isQuiet(one, facts, around),
  );
  return below === undefined ? null : `${below.comm} (pid ${below.pid}) runs below it`;
}

// By what agents write into the environment of what they start, or by the record of a close that had it in its list.
function isAgents({ marks, process }: Stranger, { recorded }: Around): boolean {
  const isMarked = marks !== null && (marks.agent !== null || marks.agentPids.length > 0);
  return isMarked || recorded.processes.get(processKey(process))?.by === 'the ledger';
}

function isQuiet(process: Process, facts: ProcessFacts, around: Around): boolean {
  if (process.state === 'Z') return true;
  const found = around.strangers.get(process.pid);
  return found !== undefined && found.program.role !== 'agent' && whyWanted(found, facts, around) === null;
}

// A tick of the clock, and what an event loop at rest uses.
const REST_MS = 20;
const REST_SHARE = 0.01;

function isAtWork(progress: Progress | null): progress is Progress {
  if (progress === null) return false;
  return progress.cpuMs > REST_MS + progress.elapsedMs * REST_SHARE || (progress.ioBytes ?? 0) > 0;
}

function used({ cpuMs, elapsedMs, ioBytes }: Progress): string {
  return `${Math.round((cpuMs / elapsedMs) * 100)} % of a core, ${Math.round((ioBytes ?? 0) / 1024)} KiB`;
}
