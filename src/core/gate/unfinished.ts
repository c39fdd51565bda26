import type { CheckAnswer } from '../checks/check.ts';
import type { DeclaredGate } from '../verdict/declared.ts';
import { ago, because } from '../verdict/retention.ts';
import type { Reason } from '../verdict/verdict.ts';

/** The reason that open work gives, from what was let go first. `isLetGo`: the gate has nothing left to say, a person has to look. */
export function unfinishedWork(open: readonly DeclaredGate[], now: number) {
  const isLetGo = open.some(({ stale }) => stale !== null);
  const [first] = isLetGo ? open.filter(({ stale }) => stale !== null) : open;
  const gate = first as DeclaredGate;
  const text = gate.stale
    ? `its owner was let go ${ago(now - gate.stale.at)} with work unfinished${because(gate.stale.text)}`
    : unfinished(gate);
  const code = isLetGo ? 'gate-unmet' : 'work-unfinished';
  const reason: Reason = { code, source: 'declared', observedAt: gate.stale?.at ?? gate.at, text };
  return { isLetGo, reason };
}

/** What open work still lacks, one line of the closing checklist each. */
export function gateChecks(open: readonly DeclaredGate[]): CheckAnswer[] {
  return open.flatMap((gate) => {
    const lines = gate.missing.length > 0 ? gate.missing : [unfinished(gate)];
    return lines.map((text): CheckAnswer => ({ code: 'contract', state: 'unmet', text }));
  });
}

function unfinished({ task, missing }: DeclaredGate): string {
  const what = `its work is not finished${task === null ? '' : ` (${task})`}`;
  return missing.length === 0 ? what : `${what}: ${missing.join('; ')}`;
}
