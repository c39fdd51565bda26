import { type JsonObject, numberIn, textIn, textsIn } from '../ledger/json.ts';
import { maskSecrets, maskValues } from '../text/mask-secrets.ts';
import { visible } from '../text/visible.ts';

/** How a program ended. tmux before 3.3 tells no signal: then neither status nor signal is known. */
export interface ProgramEnd {
  readonly exitStatus: number | null;
  readonly exitSignal: string | null;
  readonly endedAt: number;
  /** What it showed last, without empty lines; secrets are masked. */
  readonly lines: readonly string[];
  /** It was seen at work after its completion, which does not speak for what came then. */
  readonly isOvertaken?: true;
}

/** The end of a program that rollcall started, as tmux recorded it. */
export interface EndRecord extends ProgramEnd {
  /** The run that started it. */
  readonly run: string;
  /** The process that tmux started in the pane; null where the record does not tell. */
  readonly pid: number | null;
  /** Sessions that showed the pane, by their ids, and how many panes each had: of the others this tells nothing. */
  readonly sessions: ReadonlyMap<string, number>;
}

/** The first and the last line of a record. Without the last one it was not written to its end. */
export const END_HEAD = 'rollcall-end 1';
export const END_TAIL = 'rollcall-end whole';

/** Whether a program of a tmux server is the hook that writes such a record. A close has a receipt, and needs none. */
export function isEndHook(argv: readonly string[]): boolean {
  return argv.some((word) => word.includes(END_HEAD));
}

const LINES_KEPT = 40;
const LONGEST_LINE = 200;

/** Reads a record; null where it is not whole. `given`: values that are never shown. */
export function parseEnd(run: string, text: string, given: readonly string[] = []): EndRecord | null {
  const rows = text.split('\n');
  const tail = rows.lastIndexOf(END_TAIL);
  const gap = rows.indexOf('');
  if (rows[0] !== END_HEAD || gap === -1 || tail < gap) return null;
  const facts = rows.slice(1, gap).map(wordsOf);
  const told = new Map(facts);
  const seconds = wholeNumber(told.get('time'));
  if (seconds === null) return null;
  return {
    run,
    exitStatus: wholeNumber(told.get('status')),
    exitSignal: told.get('signal') || null,
    endedAt: seconds * 1000,
    lines: lastLines(rows.slice(gap + 1, tail), { given }),
    pid: wholeNumber(told.get('pid')),
    sessions: sessionsIn(facts),
  };
}

/** A session may be told of twice: the greater number counts, since what was there once may run on. */
function sessionsIn(facts: readonly (readonly [string, string])[]): ReadonlyMap<string, number> {
  const sessions = new Map<string, number>();
  for (const [name, text] of facts) {
    const [sessionId, panes] = wordsOf(text);
    if (name === 'session') sessions.set(sessionId, Math.max(sessions.get(sessionId) ?? 0, panes.length));
  }
  return sessions;
}

/** What a program showed last: neither empty lines nor what tmux itself says of a dead pane. */
export function lastLines(
  rows: readonly string[],
  { most = LINES_KEPT, given = [] }: { readonly most?: number; readonly given?: readonly string[] } = {},
): readonly string[] {
  const said = rows.filter((row) => row.trim() !== '' && !row.startsWith('Pane is dead'));
  return said.slice(-most).map((row) => visible(maskSecrets(maskValues(row.trimEnd(), given)), LONGEST_LINE));
}

/** How it ended, behind the name of a program: "ended with status 3". */
export function endWords({ exitStatus, exitSignal }: Pick<ProgramEnd, 'exitStatus' | 'exitSignal'>): string {
  if (exitSignal !== null) return `ended by signal ${exitSignal}`;
  return exitStatus === null ? 'ended; tmux did not tell how' : `ended with status ${exitStatus}`;
}

/** An end as an entry of the ledger tells it. */
export function endBody(end: ProgramEnd): JsonObject {
  return { ...endOf(end) };
}

/** The end alone, without what else is known of a record or a fact. */
export function endOf({ exitStatus, exitSignal, endedAt, lines, isOvertaken }: ProgramEnd): ProgramEnd {
  return { exitStatus, exitSignal, endedAt, lines, ...(isOvertaken && { isOvertaken }) };
}

/** Reads an end from an entry of the ledger. */
export function endIn(body: JsonObject): ProgramEnd | null {
  const endedAt = numberIn(body.endedAt);
  if (endedAt === null) return null;
  const { exitStatus, exitSignal, lines } = body;
  return {
    ...{ exitStatus: numberIn(exitStatus), exitSignal: textIn(exitSignal) },
    ...{ endedAt, lines: textsIn(lines) },
    ...(body.isOvertaken === true && { isOvertaken: true }),
  };
}

function wordsOf(row: string): [string, string] {
  const space = row.indexOf(' ');
  return space === -1 ? [row, ''] : [row.slice(0, space), row.slice(space + 1).trim()];
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
