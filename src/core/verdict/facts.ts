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
  const { ofSession, byPane, unavailable } = sorted(evidence, now, policy);
  const [people, standing] = [newest(ofSession, 'people'), newest(ofSession, 'standing')];
  const [clock, massDeath] = [newest(ofSession, 'clock'), newest(ofSession, 'mass-death')];
  const isContradictory = people.isContradictory || standing.isContradictory || clock.isContradictory;
  const panes = [...byPane].sort(([a], [b]) => byPaneNumber(a, b));
  const facts: Writable<VerdictFacts> = {
    panes: panes.map(([paneId, pieces]) => paneFacts(paneId, pieces, unavailable, isContradictory, now)),
    unavailable,
    now,
    policy,
  };
  if (people.piece) facts.people = people.piece;
  if (standing.piece) facts.standing = standing.piece;
  if (clock.piece) facts.clock = clock.piece;
  if (massDeath.piece) facts.massDeath = massDeath.piece;
  return facts;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

// Evidence from the future is as useless as old evidence; one second is the grain of tmux's own clock.
function isFresh(piece: Evidence, now: Moment, policy: Policy): boolean {
  const ageMs = now.at - piece.observedAt;
  return ageMs <= policy.freshMs && ageMs >= -1000;
}

type Pieces = { [K in Evidence['kind']]?: Evidence[] };

interface Sorted {
  /** What speaks of the session as a whole. */
  readonly ofSession: Pieces;
  readonly byPane: ReadonlyMap<string, Pieces>;
  readonly unavailable: readonly UnavailableEvidence[];
}

function sorted(evidence: readonly Evidence[], now: Moment, policy: Policy): Sorted {
  const ofSession: Pieces = {};
  const byPane = new Map<string, Pieces>();
  const unavailable: UnavailableEvidence[] = [];
  const ofPane = (paneId: string): Pieces => {
    const known = byPane.get(paneId) ?? {};
    byPane.set(paneId, known);
    return known;
  };
  for (const piece of evidence) {
    if (!isFresh(piece, now, policy)) continue;
    if (piece.kind === 'sensor-unavailable') unavailable.push(piece);
    const paneId = 'paneId' in piece ? piece.paneId : undefined;
    const pieces = paneId === undefined ? ofSession : ofPane(paneId);
    const others = pieces[piece.kind];
    if (others) others.push(piece);
    else pieces[piece.kind] = [piece];
  }
  return { ofSession, byPane, unavailable: unavailable.sort(byText) };
}

function paneFacts(
  paneId: string,
  pieces: Pieces,
  unavailable: readonly UnavailableEvidence[],
  isSessionContradictory: boolean,
  now: Moment,
): PaneFacts {
  const [pane, processes] = [newest(pieces, 'pane'), newest(pieces, 'processes')];
  const [screen, git] = [newest(pieces, 'screen'), newest(pieces, 'git')];
  const [history, agent] = [newest(pieces, 'history'), newest(pieces, 'agent')];
  const signs = (pieces['agent-sign'] ?? []) as readonly AgentSignEvidence[];
  // Signs of two agents do not make one word.
  const isMixed = signs.some((sign) => sign.agentPid !== signs[0]?.agentPid);
  const word = isMixed ? null : wordOf(signs, now);
  const facts: Writable<PaneFacts> = {
    paneId,
    unavailable: unavailable.filter((piece) => piece.paneId === undefined || piece.paneId === paneId),
    isContradictory:
      isSessionContradictory ||
      isMixed ||
      [pane, processes, screen, git, history, agent].some((one) => one.isContradictory),
  };
  if (pane.piece) facts.pane = pane.piece;
  if (processes.piece) facts.processes = processes.piece;
  if (screen.piece) facts.screen = screen.piece;
  if (git.piece) facts.git = git.piece;
  if (history.piece) facts.history = history.piece;
  if (agent.piece) facts.agent = agent.piece;
  if (word) facts.word = word;
  return facts;
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

const NONE: readonly Evidence[] = [];

// The newest piece of a kind; among equally new ones the choice is by content, so that arrival order never matters.
function newest<K extends Evidence['kind']>(
  pieces: Pieces,
  kind: K,
): { readonly piece: Extract<Evidence, { kind: K }> | undefined; readonly isContradictory: boolean } {
  const own = (pieces[kind] ?? NONE) as readonly Evidence[] as readonly Extract<Evidence, { kind: K }>[];
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
