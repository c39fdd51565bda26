import { restoreEvidence } from '../history/restore-evidence.ts';
import type { Witnessed } from '../history/witness.ts';
import type { PaneEntry, SessionEntry } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import { WithVerdict } from '../verdict/checklist.ts';
import { classify, type Previous } from '../verdict/classify.ts';
import type { Evidence } from '../verdict/evidence.ts';
import type { Policy } from '../verdict/policy.ts';
import type { PaneVerdict, Verdict } from '../verdict/verdict.ts';

/** What a replay judges by. */
export interface ReplayRules {
  readonly policy: Policy;
  /** The pattern that protects sessions of this name, if any does. */
  readonly protectedBy: (name: string) => string | undefined;
}

/** A session as a look at that moment would have shown it, judged by another policy. */
export function replay(
  session: Witnessed,
  pieces: NonNullable<Witnessed['pieces']>,
  now: Moment,
  { policy, protectedBy }: ReplayRules,
  previous: Previous | undefined,
): SessionEntry {
  const pattern = protectedBy(session.name);
  const evidence = restoreEvidence(pieces, now).map((piece) => protectedAs(piece, pattern));
  return new ReplayedSession(session, classify(evidence, now, policy, previous), evidence);
}

// Which names are protected is a matter of the policy that is tried, not of the one that was in force.
function protectedAs(piece: Evidence, pattern: string | undefined): Evidence {
  if (piece.kind !== 'standing') return piece;
  const { protectedBy: _, ...rest } = piece;
  return pattern === undefined ? rest : { ...rest, protectedBy: pattern };
}

class ReplayedSession extends WithVerdict implements SessionEntry {
  readonly key: string;
  readonly name: string;
  readonly sessionId = '';
  readonly createdAt = 0;
  readonly server: SessionEntry['server'];
  readonly role = null;
  readonly task = null;
  readonly owner = null;
  readonly attached: number;
  readonly memoryBytes: number | null;
  readonly panes: SessionEntry['panes'];
  readonly evidence: readonly Evidence[];

  constructor(session: Witnessed, verdict: Verdict, evidence: readonly Evidence[]) {
    super(verdict, verdict);
    this.key = session.key;
    this.name = session.name;
    this.server = { socketPath: '', label: session.server, pid: 0, startTicks: 0, version: null };
    this.attached = evidence.reduce(
      (sum, piece) => sum + (piece.kind === 'people' ? piece.clients.length : 0),
      0,
    );
    this.memoryBytes = session.memoryBytes;
    this.panes = verdict.panes.map(paneEntry);
    this.evidence = evidence;
  }
}

// Where it is, what it is called and who its program is, nobody asks in a replay.
function paneEntry({ paneId, activity, waitingFor }: PaneVerdict): PaneEntry {
  return {
    ...{ paneId, activity, waitingFor, windowIndex: 0, paneIndex: 0, isActive: false, pid: 0 },
    ...{ program: null, title: '', cwd: null, isDead: false, exitStatus: null, exitSignal: null },
  };
}
