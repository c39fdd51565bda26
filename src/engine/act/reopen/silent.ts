import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { type Sighted, type Silent, silentIn } from '../../../core/close/outlived.ts';
import type { Process, ProcessDetails } from '../../../core/sight/process.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { Hands } from '../hands.ts';

/** A process that names an agent. */
export interface FoundAgent {
  readonly process: Process;
  readonly known: ProcessDetails;
}

interface Near extends FoundAgent {
  readonly choice: ConversationChoice;
}

/**
 * Agents of the same kind that may be in any conversation of a folder, because they have not said yet which one they are in:
 * started by hand, in a pane or not.
 */
export async function silentBeside(
  hands: Hands,
  { kind, cwd }: { readonly kind: string; readonly cwd: string },
  seen: {
    readonly found: readonly FoundAgent[];
    readonly all: readonly Sighted[];
    readonly sessions: readonly SessionEntry[];
  },
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
  { all, sessions }: { readonly all: readonly Sighted[]; readonly sessions: readonly SessionEntry[] },
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
