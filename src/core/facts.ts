import type {
  AgentWordEvidence,
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
import type { Moment } from './moment.ts';
import type { Policy } from './policy.ts';

/** The fresh evidence on one pane, one piece of each kind. */
export interface PaneFacts {
  readonly paneId: string;
  readonly pane?: PaneEvidence;
  readonly processes?: ProcessEvidence;
  readonly screen?: ScreenEvidence;
  readonly git?: GitEvidence;
  readonly history?: HistoryEvidence;
  readonly word?: AgentWordEvidence;
  /** Sensors that could not look at this pane, or at the whole session. */
  readonly unavailable: readonly UnavailableEvidence[];
  /** Two pieces of the same kind and moment, on this pane or on the whole session, that say different things. */
  readonly isContradictory: boolean;
}

/** The fresh evidence on a session, sorted by what it speaks of. */
export interface SessionFacts {
  readonly panes: readonly PaneFacts[];
  readonly people?: PeopleEvidence;
  readonly standing?: StandingEvidence;
  readonly clock?: ClockEvidence;
  readonly massDeath?: MassDeathEvidence;
  readonly unavailable: readonly UnavailableEvidence[];
  readonly now: Moment;
  readonly policy: Policy;
}

type PaneKind = 'pane' | 'processes' | 'screen' | 'git' | 'history' | 'agent-word';

/** Sorts evidence by pane and kind, in an order that does not depend on how it came in. What is not fresh is dropped. */
export function gatherFacts(evidence: readonly Evidence[], now: Moment, policy: Policy): SessionFacts {
  const fresh = evidence.filter((piece) => isFresh(piece, now, policy));
  const unavailable = fresh.filter((piece) => piece.kind === 'sensor-unavailable').sort(byText);
  const ids = fresh.flatMap((piece) =>
    'paneId' in piece && piece.paneId !== undefined ? [piece.paneId] : [],
  );
  const paneIds = [...new Set(ids)].sort(byPaneNumber);
  const [people, standing, clock] = [
    newest(fresh, 'people'),
    newest(fresh, 'standing'),
    newest(fresh, 'clock'),
  ];
  const massDeath = newest(fresh, 'mass-death');
  const isContradictory = [people, standing, clock].some((one) => one.isContradictory);
  return {
    panes: paneIds.map((paneId) => paneFacts(paneId, fresh, unavailable, isContradictory)),
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

function paneFacts(
  paneId: string,
  fresh: readonly Evidence[],
  unavailable: readonly UnavailableEvidence[],
  isSessionContradictory: boolean,
): PaneFacts {
  const own = fresh.filter((piece) => 'paneId' in piece && piece.paneId === paneId);
  const of = <K extends PaneKind>(kind: K) => newest(own, kind);
  const [pane, processes, screen, git] = [of('pane'), of('processes'), of('screen'), of('git')];
  const [history, word] = [of('history'), of('agent-word')];
  return {
    paneId,
    ...(pane.piece && { pane: pane.piece }),
    ...(processes.piece && { processes: processes.piece }),
    ...(screen.piece && { screen: screen.piece }),
    ...(git.piece && { git: git.piece }),
    ...(history.piece && { history: history.piece }),
    ...(word.piece && { word: word.piece }),
    unavailable: unavailable.filter((piece) => piece.paneId === undefined || piece.paneId === paneId),
    isContradictory:
      isSessionContradictory ||
      [pane, processes, screen, git, history, word].some((one) => one.isContradictory),
  };
}

// The newest piece of a kind; among equally new ones the choice is by content, so that arrival order never matters.
function newest<K extends Evidence['kind']>(
  evidence: readonly Evidence[],
  kind: K,
): { piece?: Extract<Evidence, { kind: K }>; isContradictory: boolean } {
  const pieces = evidence.filter((piece): piece is Extract<Evidence, { kind: K }> => piece.kind === kind);
  if (pieces.length <= 1) return { ...(pieces[0] && { piece: pieces[0] }), isContradictory: false };
  const latest = Math.max(...pieces.map((piece) => piece.observedAt));
  const texts = new Map(
    pieces.filter((piece) => piece.observedAt === latest).map((piece) => [JSON.stringify(piece), piece]),
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
