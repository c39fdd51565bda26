import { type Attributed, attributeAll } from '../../core/doctor/attribute.ts';
import type { ProcessFacts } from '../../core/doctor/facts.ts';
import type { Mending } from '../../core/doctor/finding.ts';
import { processKey } from '../../core/sight/identity.ts';
import type { EndMendable, Mendable } from './mender.ts';

/** An orphan of ours as the newest facts have it, and the finding that is to be mended by its end. */
export interface Target {
  readonly wanted: EndMendable;
  readonly proof: Attributed;
}

/** Which of them are orphans of ours by these facts; of the others, what they are instead. */
export function prove(
  wanted: readonly EndMendable[],
  facts: ProcessFacts,
): { readonly proven: readonly Target[]; readonly changed: readonly Mending[] } {
  const words = new Map(attributeAll(facts).map((one) => [processKey(one.stranger.process), one]));
  const proven: Target[] = [];
  const changed: Mending[] = [];
  for (const one of wanted) {
    const proof = words.get(processKey(one.remedy));
    const mayEnd =
      proof?.class === 'ours-orphaned' || (one.remedy.isNamed && proof?.class === 'left-running');
    if (proof !== undefined && mayEnd) proven.push({ wanted: one, proof });
    else changed.push(skipped(one, proof?.text ?? whyUnseen(one, facts)));
  }
  return { proven, changed };
}

export function skipped({ check, finding }: Mendable, why: string): Mending {
  return { check, finding, result: 'skipped', text: `nothing was touched: ${why}` };
}

function whyUnseen({ remedy }: EndMendable, { table }: ProcessFacts): string {
  const found = table.byPid.get(remedy.pid);
  if (found === undefined) return 'it is gone';
  return found.startTicks === remedy.startTicks
    ? 'nothing proves any more that it is an orphan'
    : `it is gone, and pid ${remedy.pid} is another process now`;
}
