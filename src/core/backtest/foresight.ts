import type { KeptPiece, KeptPieces } from '../history/kept-piece.ts';
import type { SeenRecord } from '../history/record.ts';
import { type Witnessed, witnessed } from '../history/witness.ts';
import type { Moment } from '../text/moment.ts';

interface Span {
  /** Awake time over which the pane was quiet before the piece was seen. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly piece: KeptPiece;
}

/**
 * git and screens were asked only where they could decide something under the policy of that time. Another policy would
 * have asked earlier; and in a pane that was quiet up to the look that was taken, it would have found the same. So what a
 * later look found is lent to the quiet time before it.
 */
export class Foresight {
  readonly #sessions = new Map<string, Witnessed>();
  readonly #spans = new Map<string, Map<string, Span[]>>();

  /** Every record, in order, before the replay begins. */
  take(record: SeenRecord): void {
    const session = witnessed(this.#sessions.get(record.key), record);
    this.#sessions.set(record.key, session);
    const pieces = session.pieces ?? {};
    for (const [subject, piece] of Object.entries(pieces)) {
      const fromMs = quietFrom(pieces, paneOfDear(piece));
      if (fromMs === null) continue;
      keepSpan(spansOf(this.#spans, record.key, subject), fromMs, record.now.awakeMs, piece);
    }
  }

  /** The pieces of a session with what is missing in them, and the kinds that were lent. */
  fill(key: string, own: KeptPieces, now: Moment) {
    const pieces: Record<string, KeptPiece> = { ...own };
    const lent = new Set<'git' | 'screen'>();
    for (const [subject, known] of this.#spans.get(key) ?? []) {
      if (own[subject] !== undefined) continue;
      const span = known.find(({ fromMs, toMs }) => fromMs <= now.awakeMs && now.awakeMs <= toMs);
      if (span === undefined) continue;
      pieces[subject] = span.piece;
      lent.add(span.piece.kind === 'git' ? 'git' : 'screen');
    }
    return { pieces, lent: [...lent].sort() };
  }
}

/** The pane that a piece speaks of which is dear to get; null for the others. */
function paneOfDear(piece: KeptPiece): string | null {
  const { kind } = piece;
  const isDear = kind === 'git' || kind === 'screen' || (kind === 'agent-sign' && piece.source === 'screen');
  return isDear ? piece.paneId : null;
}

function quietFrom(pieces: KeptPieces, paneId: string | null): number | null {
  const history = pieces[`history ${paneId}`];
  return history?.kind === 'history' ? history.quietFromMs : null;
}

function spansOf(spans: Map<string, Map<string, Span[]>>, key: string, subject: string): Span[] {
  const ofSession = spans.get(key) ?? new Map<string, Span[]>();
  const known = ofSession.get(subject) ?? [];
  spans.set(key, ofSession.set(subject, known));
  return known;
}

// The first look of one quiet time tells for all of it; later ones of the same only prolong it.
function keepSpan(known: Span[], fromMs: number, toMs: number, { ageMs: _, ...piece }: KeptPiece): void {
  const last = known.at(-1);
  if (last && last.toMs >= fromMs && last.fromMs <= fromMs) known[known.length - 1] = { ...last, toMs };
  else known.push({ fromMs, toMs, piece });
}
