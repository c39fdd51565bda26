import type { Fused } from '../agent/fuse.ts';
import { fuse } from '../agent/fuse.ts';
import type { Moment } from '../text/moment.ts';
import type {
  AgentEvidence,
  AgentSignEvidence,
  ClockEvidence,
  Evidence,
  GitEvidence,
  HistoryEvidence,
  MassDeathEvidence,
  PaneEvidence,
  PeopleEvidence,
  ProcessEvidence,
  ScreenEvidence,
  StandingEvidence,
  UnavailableEvidence,
} from './evidence.ts';
import type { Policy } from './policy.ts';

/** What the agent in a pane is doing, from all its signs together. */
export interface AgentWord extends Fused {
  readonly agentKind: string;
  readonly agentPid: number;
}

/** The fresh evidence on one pane, one piece of each kind. */
export interface PaneFacts {
  readonly paneId: string;
  readonly pane?: PaneEvidence;
  readonly processes?: ProcessEvidence;
  readonly screen?: ScreenEvidence;
  readonly git?: GitEvidence;
  readonly history?: HistoryEvidence;
  readonly agent?: AgentEvidence;
  readonly word?: AgentWord;
  /** Sensors that could not look at this pane, or at the whole session. */
  readonly unavailable: readonly UnavailableEvidence[];
  /** Two pieces of the same kind and moment, on this pane or on the whole session, that say different things. */
  readonly isContradictory: boolean;
}

/** The fresh evidence on a session, sorted by what it speaks of. */
export interface VerdictFacts {
  readonly panes: readonly PaneFacts[];
  readonly people?: PeopleEvidence;
  readonly standing?: StandingEvidence;
  readonly clock?: ClockEvidence;
  readonly massDeath?: MassDeathEvidence;
  readonly unavailable: readonly UnavailableEvidence[];
  readonly now: Moment;
  readonly policy: Policy;
}

/** Sorts evidence by pane and kind, in an order that does not depend on how it came in. What is not fresh is dropped. */
export function gatherFacts(evidence: readonly Evidence[], now: Moment, policy: Policy): VerdictFacts {
  const { pieces, paneIds, unavailable } = sorted(evidence.filter((piece) => isFresh(piece, now, policy)));
  const [people, standing] = [newest(pieces, 'people'), newest(pieces, 'standing')];
  const [clock, massDeath] = [newest(pieces, 'clock'), newest(pieces, 'mass-death')];
  const isContradictory = [people, standing, clock].some((one) => one.isContradictory);
  return {
    panes: paneIds.map((paneId) => paneFacts(paneId, pieces, unavailable, isContradictory, now)),
    ...(people.piece && { people: people.piece }),
    ...(standing.piece && { standing: standing.piece }),
    ...(clock.piece && { clock: clock.piece }),
    ...(massDeath.piece && { massDeath: massDeath.piece }),
    unavailable,
    now,
    policy,
  };
}

// Evidence from the future is as useless as old evidence; one second is the grain of tmux's own clock.
function isFresh(piece: Evidence, now: Moment, policy: Policy): boolean {
  const ageMs = now.at - piece.observedAt;
  return ageMs <= policy.freshMs && ageMs >= -1000;
}

interface Sorted {
  /** By kind and pane. */
  readonly pieces: ReadonlyMap<string, readonly Evidence[]>;
  readonly paneIds: readonly string[];
  readonly unavailable: readonly UnavailableEvidence[];
}

function sorted(evidence: readonly Evidence[]): Sorted {
  const pieces = new Map<string, Evidence[]>();
  const paneIds = new Set<string>();
  const unavailable: UnavailableEvidence[] = [];
  for (const piece of evidence) {
    const paneId = 'paneId' in piece ? piece.paneId : undefined;
    if (paneId !== undefined) paneIds.add(paneId);
    if (piece.kind === 'sensor-unavailable') unavailable.push(piece);
    const subject = subjectOf(piece.kind, paneId);
    const others = pieces.get(subject);
    if (others) others.push(piece);
    else pieces.set(subject, [piece]);
  }
  return { pieces, paneIds: [...paneIds].sort(byPaneNumber), unavailable: unavailable.sort(byText) };
}

function subjectOf(kind: Evidence['kind'], paneId: string | undefined): string {
  return paneId === undefined ? kind : `${kind} ${paneId}`;
}

function paneFacts(
  paneId: string,
  pieces: Sorted['pieces'],
  unavailable: readonly UnavailableEvidence[],
  isSessionContradictory: boolean,
  now: Moment,
): PaneFacts {
  const [pane, processes] = [newest(pieces, 'pane', paneId), newest(pieces, 'processes', paneId)];
  const [screen, git] = [newest(pieces, 'screen', paneId), newest(pieces, 'git', paneId)];
  const [history, agent] = [newest(pieces, 'history', paneId), newest(pieces, 'agent', paneId)];
  const signs = (pieces.get(subjectOf('agent-sign', paneId)) ?? []) as readonly AgentSignEvidence[];
  // Signs of two agents do not make one word.
  const isMixed = signs.some((sign) => sign.agentPid !== signs[0]?.agentPid);
  const word = isMixed ? null : wordOf(signs, now);
  return {
    paneId,
    ...(pane.piece && { pane: pane.piece }),
    ...(processes.piece && { processes: processes.piece }),
    ...(screen.piece && { screen: screen.piece }),
    ...(git.piece && { git: git.piece }),
    ...(history.piece && { history: history.piece }),
    ...(agent.piece && { agent: agent.piece }),
    ...(word && { word }),
    unavailable: unavailable.filter((piece) => piece.paneId === undefined || piece.paneId === paneId),
    isContradictory:
      isSessionContradictory ||
      isMixed ||
      [pane, processes, screen, git, history, agent].some((one) => one.isContradictory),
  };
}

function wordOf(signs: readonly AgentSignEvidence[], now: Moment): AgentWord | null {
  const [first] = signs;
  if (!first) return null;
  return {
    ...fuse([first, ...signs.slice(1)], now.at),
    agentKind: first.agentKind,
    agentPid: first.agentPid,
  };
}

// The newest piece of a kind; among equally new ones the choice is by content, so that arrival order never matters.
function newest<K extends Evidence['kind']>(
  pieces: Sorted['pieces'],
  kind: K,
  paneId?: string,
): { readonly piece: Extract<Evidence, { kind: K }> | undefined; readonly isContradictory: boolean } {
  const own = (pieces.get(subjectOf(kind, paneId)) ?? []) as readonly Extract<Evidence, { kind: K }>[];
  if (own.length <= 1) return { piece: own[0], isContradictory: false };
  const latest = Math.max(...own.map((piece) => piece.observedAt));
  const texts = new Map(
    own.filter((piece) => piece.observedAt === latest).map((piece) => [JSON.stringify(piece), piece]),
  );
  const [first] = [...texts.keys()].sort();
  const piece = texts.get(first as string) as Extract<Evidence, { kind: K }>;
  return { piece, isContradictory: texts.size > 1 };
}

function byText(a: UnavailableEvidence, b: UnavailableEvidence): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : Number(left > right);
}

// `%9` before `%10`; a total order for any distinct ids, whatever they are.
function byPaneNumber(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}
