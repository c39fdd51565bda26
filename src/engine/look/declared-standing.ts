import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import { isClosing } from '../../core/memory/lost.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import type { ProcessTable } from '../../core/sight/process.ts';
import type { Problem, SessionEntry } from '../../core/sight/roll.ts';
import type { SessionSighting } from '../../core/sight/sighting.ts';
import { type Declared, declaredOf } from '../../core/verdict/declared.ts';
import type { Evidence, StandingEvidence } from '../../core/verdict/evidence.ts';
import type { DeclaredReading } from '../../ports/declared-facts.ts';

const NOTHING: ReadonlyMap<string, SessionFacts> = new Map();

/** The facts of a reading; none where it failed, which is told beside them. */
export function factsIn(reading: DeclaredReading): ReadonlyMap<string, SessionFacts> {
  return reading.state === 'read' ? reading.facts : NOTHING;
}

/** The facts about one session. */
export function factsAbout(reading: DeclaredReading, key: string): SessionFacts | undefined {
  return reading.state === 'read' ? reading.about(key) : undefined;
}

/** Whom and what a session is for, as the roll shows it. */
export function claimsIn({ claims }: Declared): Pick<SessionEntry, 'role' | 'task' | 'owner'> {
  return { role: claims?.role ?? null, task: claims?.task ?? null, owner: claims?.owner ?? null };
}

/** What the ledger adds to the standing of one session. */
export function declaredStanding(
  facts: SessionFacts | undefined,
  { host, table }: { readonly host: HostIdentity; readonly table: ProcessTable },
): Declared & Pick<StandingEvidence, 'isManaged' | 'closing'> {
  if (facts === undefined) return UNMANAGED;
  const { closing, origin } = facts;
  return {
    ...declaredOf(facts),
    isManaged: origin !== null,
    ...(closing &&
      isClosing(facts, host, table) && {
        closing: { at: closing.at, ...(closing.isSleep && { isSleep: true as const }) },
      }),
  };
}

const UNMANAGED = { isManaged: false } as const;

/** A hold that only the session itself bears: the ledger lost it, or released it while the mark could not be removed. */
export function markedHold({ heldMark, createdAtSeconds }: SessionSighting): Pick<Declared, 'held'> {
  if (heldMark === undefined) return {};
  const at = (/^\d{1,11}$/.test(heldMark) ? Number(heldMark) : createdAtSeconds) * 1000;
  const reason = 'only its tmux session is marked so (@rollcall_held); rollcall unhold removes the mark';
  return { held: { at, reason } };
}

/** A ledger that cannot be read, as evidence on every session: nobody can tell what holds them. */
export function undeclared(reading: DeclaredReading, observedAt: number): Evidence[] {
  if (reading.state === 'read') return [];
  return [{ kind: 'sensor-unavailable', source: 'declared', observedAt, text: reading.text }];
}

/** The same as a problem of the whole roll. */
export function declaredProblems(reading: DeclaredReading): Problem[] {
  if (reading.state === 'read') return [];
  return [{ code: 'declared-unreadable', text: reading.text, hint: reading.hint }];
}
