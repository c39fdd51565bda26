import type { ScreenSighting } from '../../core/sight/sighting.ts';
import { withoutBlanks } from '../../core/text/without-blanks.ts';
import { isSocketPath } from './find-sockets.ts';
import { createNonce, type RunTmux, readNoAnswer } from './run-tmux.ts';

export interface CaptureRequest {
  readonly socketPath: string;
  readonly paneIds: readonly string[];
  readonly now: () => number;
  /** The server that the pane ids belong to, where it is known. */
  readonly serverPid: number | undefined;
  /** Rows of history that are wanted before the screen. */
  readonly rowsAbove?: number;
}

/**
 * Captures screens in as few calls as they fit into, and answers for every pane that was asked for. A missing pane
 * ends its batch; the next one goes on behind it.
 */
export async function captureScreens(run: RunTmux, request: CaptureRequest): Promise<ScreenSighting[]> {
  const { socketPath, paneIds, now, serverPid, rowsAbove = 0 } = request;
  const answers = new Map<string, ScreenSighting>();
  let rest = isSocketPath(socketPath) ? [...new Set(paneIds)].filter((paneId) => PANE_ID.test(paneId)) : [];
  while (rest.length > 0) {
    const facts = { observedAt: now(), serverPid, rowsAbove };
    const { sightings, stop } = await captureBatch(run, socketPath, rest, facts);
    for (const sighting of sightings) answers.set(sighting.paneId, sighting);
    rest = rest.slice(sightings.length);
    if (stop === undefined) continue;
    for (const paneId of rest) answers.set(paneId, withoutScreen(stop, paneId, now()));
    break;
  }
  return paneIds.map((paneId) => answers.get(paneId) ?? withoutScreen(UNUSABLE, paneId, now()));
}

/** Only ids are targets: tmux matches names by prefix and pattern. */
const PANE_ID = /^%\d{1,9}$/;

type NoScreen = NonNullable<CaptureBatch['stop']>;

const UNUSABLE: NoScreen = { state: 'failed', text: 'not a pane id on a usable socket path' };

function withoutScreen(why: NoScreen, paneId: string, observedAt: number): ScreenSighting {
  return why.state === 'absent'
    ? { state: 'absent', paneId, observedAt }
    : { state: 'failed', paneId, observedAt, text: why.text };
}

/** A wide terminal of 500 × 200 cells in a three-byte script prints 300 kB; more is a flood. */
export const MAX_SCREEN_BYTES = 1024 * 1024;

/** tmux makes no window higher than this (3.0 to 3.7). */
const MAX_ROWS = 10_000;
const LINE_END = 0x0a;

/** What `capture-pane -e` adds to the text: colours, hyperlinks and shifts to the line-drawing set. */
const STYLE = /\x1b\[[\d;:]*m|\x1b\]8;[^\x1b]*\x1b\\|[\x0e\x0f]/g;

/** A row as it reads, like tmux prints it without colours: spaces at its end are not told from nothing. */
export function plainRow(styled: string): string {
  return withoutBlanks(styled.replace(STYLE, ''));
}

/**
 * Takes a captured screen apart into its rows, blank ones at the end included: the cursor's row is an index into
 * them. A flood is cut row by row, so that every row keeps its place.
 */
export function screenLines(screen: Buffer): string[] {
  if (screen.length <= MAX_SCREEN_BYTES) return screen.toString('utf8').split('\n', MAX_ROWS);
  const rows: Buffer[] = [];
  for (let start = 0, end = 0; end !== -1 && rows.length < MAX_ROWS; start = end + 1) {
    end = screen.indexOf(LINE_END, start);
    rows.push(screen.subarray(start, end === -1 ? screen.length : end));
  }
  const maxRowBytes = Math.max(1, Math.floor(MAX_SCREEN_BYTES / rows.length));
  return rows.map((row) => row.subarray(0, maxRowBytes).toString('utf8'));
}

/** What one call brought. */
export interface CaptureBatch {
  /** One for each of the first panes asked for, in order; at least one, unless the batch says stop. */
  readonly sightings: readonly ScreenSighting[];
  /** Set when asking on is of no use: the server is exactly absent, or the call failed. */
  readonly stop?: { readonly state: 'absent' } | { readonly state: 'failed'; readonly text: string };
}

/** tmux 3.7 refuses command lists over 1000 arguments, every version those over 16 KiB: this makes 963 in 12 KiB. */
const MAX_PANES = 80;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/**
 * Captures as many of the panes as fit into one call. Each capture stands between two marks; tmux prints the second,
 * which also says where the cursor stands on that very screen, only if the capture succeeded: neither silence nor an
 * empty answer can pass for a screen.
 */
export async function captureBatch(
  run: RunTmux,
  socketPath: string,
  paneIds: readonly string[],
  facts: {
    readonly observedAt: number;
    readonly serverPid: number | undefined;
    readonly rowsAbove: number;
  },
): Promise<CaptureBatch> {
  const { observedAt, serverPid, rowsAbove } = facts;
  const nonce = createNonce();
  const asked = paneIds.slice(0, MAX_PANES);
  const ended = await run(socketPath, captureCommand(nonce, asked, rowsAbove), { maxBytes: MAX_BATCH_BYTES });
  const output = ended.ended === 'exit' || ended.ended === 'too-long' ? ended.stdout : Buffer.alloc(0);
  const [before, answeringPid, ...pieces] = splitAt(output, nonce);
  const pid = answeringPid?.toString('utf8') ?? '';
  // Pane ids repeat after a server's restart: a screen of another server's %0 is not this pane's.
  if (pid !== '' && serverPid !== undefined && pid !== String(serverPid)) {
    return giveUp(`server ${pid} answers in place of ${serverPid}`);
  }

  const rest = pieces.pop();
  const screens = readScreens(pieces);
  if (before?.length !== 0 || screens === null || screens.length > asked.length) {
    return { sightings: [], stop: readNoAnswer(ended, socketPath) };
  }
  const sightings = screens.map((screen, index): ScreenSighting => {
    return { state: 'captured', paneId: asked[index] as string, observedAt, ...screen };
  });

  const missing = asked[screens.length];
  if (missing === undefined) return { sightings };
  const complaint = ended.ended === 'exit' && ended.code === 1 ? ended.stderr.trimEnd() : '';
  if (complaint === `can't find pane: ${missing}`) {
    return { sightings: [...sightings, { state: 'absent', paneId: missing, observedAt }] };
  }
  if (ended.ended === 'too-long') {
    if (rest === undefined || rest.length <= MAX_SCREEN_BYTES) {
      return sightings.length > 0 ? { sightings } : giveUp('tmux printed more than any screen holds');
    }
    const screen = { ...screenOf(rest.subarray(1)), cursor: null };
    return { sightings: [...sightings, { state: 'captured', paneId: missing, observedAt, ...screen }] };
  }
  return { sightings, stop: readNoAnswer(ended, socketPath) };
}

function captureCommand(nonce: string, paneIds: readonly string[], rowsAbove: number): string[] {
  const cursor = `${nonce}#{cursor_x},#{cursor_y},#{pane_width},#{pane_height}${nonce}`;
  const from = rowsAbove > 0 ? ['-S', `-${rowsAbove}`] : [];
  return [
    ...['display-message', '-p', `${nonce}#{pid}${nonce}`],
    ...paneIds.flatMap((paneId) => [
      ...[';', 'capture-pane', '-e', '-p', ...from, '-t', paneId],
      ...[';', 'display-message', '-p', '-t', paneId, cursor],
    ]),
  ];
}

type Screen = Pick<Extract<ScreenSighting, { state: 'captured' }>, 'lines' | 'styled' | 'cursor'>;

/** Screens and cursors take turns; null when one has not the shape that was asked for. */
function readScreens(pieces: readonly Buffer[]): Screen[] | null {
  const screens: Screen[] = [];
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const framed = unframe(pieces[at] as Buffer);
    const cursor = /^(\d{1,9}),(\d{1,9}),(\d{1,9}),(\d{1,9})$/.exec(String(pieces[at + 1]));
    if (framed === null || cursor === null) return null;
    const [x, y, width, height] = cursor.slice(1).map(Number) as [number, number, number, number];
    screens.push(capturedScreen(framed, { x, y, width, height }));
  }
  return pieces.length % 2 === 0 ? screens : null;
}

/** Where the cursor is on a pane of this size, as tmux counts: from the first row of the screen. */
interface CursorPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A screen with its cursor. On rows that are not there it is not known: whatever it stood on is missing. */
export function capturedScreen(rows: Buffer, { x, y, width, height }: CursorPlace): Screen {
  const screen = screenOf(rows);
  // What is more than the screen's own rows is history above it.
  const row = Math.max(0, screen.lines.length - height) + y;
  return { ...screen, cursor: row < screen.lines.length ? { x, y: row, width } : null };
}

function screenOf(screen: Buffer): Pick<Screen, 'lines' | 'styled'> {
  const styled = screenLines(screen);
  return { lines: styled.map(plainRow), styled };
}

/** A whole screen stands between the line end of the mark before it and its own last line end. */
function unframe(piece: Buffer): Buffer | null {
  const isFramed = piece.length >= 2 && piece[0] === 0x0a && piece[piece.length - 1] === 0x0a;
  return isFramed ? piece.subarray(1, -1) : null;
}

function splitAt(output: Buffer, mark: string): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let end = output.indexOf(mark); end !== -1; end = output.indexOf(mark, start)) {
    pieces.push(output.subarray(start, end));
    start = end + mark.length;
  }
  return [...pieces, output.subarray(start)];
}

function giveUp(text: string): CaptureBatch {
  return { sightings: [], stop: { state: 'failed', text } };
}
