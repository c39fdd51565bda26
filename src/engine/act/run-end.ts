import type { JsonObject } from '../../core/ledger/json.ts';
import type { EndRecord } from '../../core/memory/ended.ts';
import { maskSecrets, maskValues } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import { awake, type Hands } from './hands.ts';
import type { Birth } from './run-birth.ts';
import { type Seen, whereIs } from './run-see.ts';

/** How a program ended, as far as tmux tells, and what it last showed. */
export interface ProgramEnd {
  readonly exitStatus: number | null;
  readonly exitSignal: string | null;
  readonly screen: readonly string[];
}

const ROWS_KEPT = 15;
const LONGEST_ROW = 200;

/** A busy machine takes its time; where tmux writes nothing, the dead pane tells after that. */
const RECORD_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** What is left of a program that has ended, once tmux is through with it. */
export interface Outlasted {
  readonly seen: Seen;
  /** The end as tmux wrote it down; null where that did not come about. */
  readonly record: EndRecord | null;
}

/**
 * Waits until tmux has written down how the program ended. Then its hook removes the pane, or leaves it where the user's own
 * options keep it: nobody else can tell, so nobody else removes it.
 */
export async function outlastEnd(hands: Hands, birth: Birth, seen: Seen, run: string): Promise<Outlasted> {
  if (seen.state !== 'dead') return { seen, record: seen.state === 'gone' ? hands.ends.of(run) : null };
  const { socketPath } = birth.pane.session.server;
  const endsAt = awake(hands) + RECORD_MS;
  for (;;) {
    const stamped = await hands.tmux.runOf(birth.pane);
    if (stamped.state === 'read' && !stamped.isEndPending) return { seen, record: hands.ends.of(run) };
    const roll = await hands.look({ servers: [socketPath] });
    if (whereIs(hands, roll, birth.pane).state === 'gone') {
      return { seen: { state: 'gone', host: seen.host }, record: hands.ends.of(run) };
    }
    if (awake(hands) >= endsAt) return { seen, record: null };
    await hands.wait(LOOK_EVERY_MS);
  }
}

/**
 * How its program ended, and what it last showed. The visible screen is not enough: tmux makes room on it for its own
 * line, and the first row leaves it. Of programs that end as soon as they have printed something, tmux 3.3a itself loses
 * about one in thirty outputs. What was given to it with `--env` is not shown.
 */
export async function endOf(
  hands: Hands,
  { pane }: Birth,
  { seen, record }: Outlasted,
  run: string,
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
  const given = Object.values(hands.starts.of(run)?.env ?? {});
  const screen = said.slice(-ROWS_KEPT).map((row) => maskSecrets(maskValues(row, given)));
  return { exitStatus, exitSignal, screen };
}

/** The same, to be recorded. */
export function endBody({ exitStatus, exitSignal, screen }: ProgramEnd): JsonObject {
  return { exitStatus, exitSignal, screen: screen.map((row) => visible(row, LONGEST_ROW)) };
}
