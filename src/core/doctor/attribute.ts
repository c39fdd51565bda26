import { processKey } from '../sight/identity.ts';
import type { Process } from '../sight/process.ts';
import { type Attribution, aroundIn, type KnownProcesses, word } from './around.ts';
import type { ProcessFacts } from './facts.ts';
import { isUnseen, settleAll } from './leftover.ts';
import { LIVE_RULES } from './live-rules.ts';
import { claimsOf, originRule } from './origin.ts';
import type { Stranger } from './process-scene.ts';

/** A process with the word on it. */
export interface Attributed extends Attribution {
  readonly stranger: Stranger;
  /** Keys of all sessions that it is tied to, whatever else keeps it today. */
  readonly claims: readonly string[];
}

const judged = new WeakMap<ProcessFacts, readonly Attributed[]>();

/** Whose each process is that no live pane has. Several checks ask, so the answer is kept with its facts. */
export function attributeAll(facts: ProcessFacts): readonly Attributed[] {
  const known = judged.get(facts);
  if (known) return known;
  const around = aroundIn(facts);
  const { strangers } = facts.processes;
  const own = new Map(
    strangers.map((stranger) => [processKey(stranger.process), attribute(stranger, facts, around)]),
  );
  const all = strangers.flatMap((stranger) => {
    const found =
      own.get(processKey(stranger.process)) ?? inherited(stranger, own, around) ?? seeming(stranger);
    if (found === null) return [];
    return [{ ...found, stranger, claims: claimsOf(stranger, facts, around).map(({ key }) => key) }];
  });
  const settled = settleAll(all, facts, around);
  judged.set(facts, settled);
  return settled;
}

/** Processes of which only a second reading is missing. */
export function unproven(facts: ProcessFacts): Process[] {
  return attributeAll(facts)
    .filter(isUnseen)
    .map(({ stranger }) => stranger.process);
}

/** The first rule that has a word decides: what keeps a process first, the proof of an orphan last. */
function attribute(stranger: Stranger, facts: ProcessFacts, around: KnownProcesses): Attribution | null {
  for (const rule of [...LIVE_RULES, originRule]) {
    const found = rule(stranger, facts, around);
    if (found !== null) return found;
  }
  return null;
}

// A process that tells nothing of itself belongs to whom its parent belongs. Below a foreign one, nothing is said of it here.
function inherited(
  { process }: Stranger,
  own: ReadonlyMap<string, Attribution | null>,
  around: KnownProcesses,
): Attribution | null {
  for (const ancestor of around.above(process)) {
    const found = own.get(processKey(ancestor));
    if (found == null) continue;
    if (found.class === 'foreign') return null;
    return { ...found, evidence: [`it runs below pid ${ancestor.pid}, of which holds:`, ...found.evidence] };
  }
  return null;
}

// An agent or a helper of one that nothing ties to a session; anything else is nobody's concern.
function seeming({ program, helper, marks, process }: Stranger): Attribution | null {
  if (program.role === 'agent') return word('foreign', 'it runs outside tmux');
  if (marks?.agent != null) return word('foreign', `${marks.agent} started it; nothing ties it to a session`);
  const isLeft = helper !== null && process.ppid === 1;
  return isLeft ? word('foreign', 'whoever started it is gone; nothing ties it to a session') : null;
}
