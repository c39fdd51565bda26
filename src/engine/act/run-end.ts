import type { EndRecord } from '../../core/ended.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import { maskSecrets } from '../../core/mask-secrets.ts';
import type { SessionEntry } from '../../core/roll.ts';
import { visible } from '../../core/visible.ts';
import { awake, type Hands } from './hands.ts';
import { type Birth, keyOf } from './run-birth.ts';
import type { Seen } from './run-see.ts';

/** How a program ended, as far as tmux tells, and what it last showed. */
export interface ProgramEnd {
  readonly exitStatus: number | null;
  readonly exitSignal: string | null;
  readonly screen: readonly string[];
}

const ROWS_KEPT = 15;
const LONGEST_ROW = 200;

/** A busy machine takes its time; where tmux can write nothing, the dead pane tells after that. */
const RECORD_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * The end as tmux wrote it down, and the session gone with it; null where that does not come about. The pane of a program
 * that has ended stands until then.
 */
export async function writtenEnd(
  hands: Hands,
  birth: Birth,
  seen: Seen,
  run: string,
): Promise<EndRecord | null> {
  if (seen.state !== 'dead' && seen.state !== 'gone') return null;
  const { socketPath } = birth.pane.session.server;
  const endsAt = awake(hands) + RECORD_MS;
  for (;;) {
    const record = hands.ends.of(run);
    const isThere = async () =>
      (await hands.look({ servers: [socketPath] })).sessions.some(
        ({ key }) => key === keyOf(seen.host, birth),
      );
    if (record !== null && (seen.state === 'gone' || !(await isThere()))) return record;
    if (awake(hands) >= endsAt) return null;
    await hands.wait(LOOK_EVERY_MS);
  }
}

/**
 * How its program ended, and what it last showed. The visible screen is not enough: tmux makes room on it for its own
 * line, and the first row leaves it. Of programs that end as soon as they have printed something, tmux 3.3a itself loses
 * about one in thirty outputs.
 */
export async function endOf(
  hands: Hands,
  { pane }: Birth,
  seen: Seen,
  record: EndRecord | null,
): Promise<ProgramEnd | null> {
  if (record !== null) {
    return {
      exitStatus: record.exitStatus,
      exitSignal: record.exitSignal,
      screen: record.lines.slice(-ROWS_KEPT),
    };
  }
  if (seen.state !== 'dead') return null;
  const { exitStatus, exitSignal } = seen.pane;
  const history = await hands.tmux.history(pane);
  const rows = history.state === 'captured' ? history.text.split('\n') : [];
  const said = rows.filter((row) => row.trim() !== '' && !row.startsWith('Pane is dead'));
  return { exitStatus, exitSignal, screen: said.slice(-ROWS_KEPT).map(maskSecrets) };
}

/** The same, to be recorded. */
export function endBody({ exitStatus, exitSignal, screen }: ProgramEnd): JsonObject {
  return { exitStatus, exitSignal, screen: screen.map((row) => visible(row, LONGEST_ROW)) };
}

/** Only the one pane that was started; whatever somebody has added meanwhile keeps the session. */
export async function removeDead(hands: Hands, { pane }: Birth, entry: SessionEntry): Promise<void> {
  if (entry.panes.length !== 1) return;
  const stanced = await hands.tmux.stance(pane.session);
  if (stanced.state !== 'seen') return;
  const { stance } = stanced;
  const isOnlyIt = stance.panes.every(({ paneId, pid }) => paneId === pane.paneId && pid === pane.pid);
  if (isOnlyIt) await hands.tmux.removeSession({ stance, aside: new Set() });
}
