import type { Process, ProcessMarkers } from '../../core/sight/process.ts';
import { visible } from '../../core/text/visible.ts';

// Untested on a real Mac: the formats are those of Apple's ps (adv_cmds 237).

/** The columns of one line for each process. Each has its own `-o`, since a `=` may swallow what follows it. */
export const LIST_COLUMNS = columns(
  ...['pid', 'ppid', 'pgid', 'tpgid', 'tty', 'stat', 'lstart', 'time', 'rss', 'ucomm'],
);

/** The columns of `parseTexts`: the line's own start mark makes a recycled pid visible. */
export const TEXT_COLUMNS = columns('pid', 'lstart', 'args');

/** What a listing held; a line that is no row (a name may hold a newline) is counted, never guessed at. */
export interface ProcessList {
  readonly processes: readonly Process[];
  readonly garbledLines: number;
}

/** Parses the whole listing. `lstart` must be in UTC and in the C locale. */
export function parseProcessList(text: string): ProcessList {
  const rows: Row[] = [];
  let garbledLines = 0;
  for (const line of text.split('\n')) {
    const row = parseRow(line);
    if (row !== null) rows.push(row);
    else if (line.trim() !== '') garbledLines++;
  }
  const sids = sessionIds(rows);
  return {
    processes: rows.map(({ tty: _, isLeader: __, ...row }) => ({
      ...row,
      sid: sids.get(row.pid) ?? row.pgid,
    })),
    garbledLines,
  };
}

/** One process with its arguments (and with `-E` its environment) as one text, words joined by blanks. */
export interface ProcessText {
  readonly startTicks: number;
  readonly text: string;
}

/** Parses a listing of `TEXT_COLUMNS`. ps writes control characters as `^J`, so each process has one line. */
export function parseTexts(text: string): Map<number, ProcessText> {
  const found = new Map<number, ProcessText>();
  for (const line of text.split('\n')) {
    const match = TEXT.exec(line);
    if (match === null) continue;
    const [, pid = '', lstart = '', words = ''] = match;
    found.set(Number(pid), { startTicks: parseStart(lstart), text: words.trimEnd() });
  }
  return found;
}

/** Splits arguments at blanks, which is all that ps leaves of them; `(name)` and `<defunct>` mean that it has none. */
export function splitArguments(text: string): string[] {
  return text === '' || text === '<defunct>' || /^\(.*\)$/.test(text) ? [] : text.split(/ +/);
}

/** Finds the markers; the environment follows the arguments, so the last of several is the true one. */
export function findMarkers(text: string): Pick<ProcessMarkers, 'tmux' | 'tmuxPane'> {
  const tmux = [...text.matchAll(/(?:^| )TMUX=([^ ]*,\d+,\d+)(?= |$)/g)].at(-1)?.[1];
  const tmuxPane = [...text.matchAll(/(?:^| )TMUX_PANE=(%\d+)(?= |$)/g)].at(-1)?.[1];
  return { ...(tmux === undefined ? {} : { tmux }), ...(tmuxPane === undefined ? {} : { tmuxPane }) };
}

type Row = Omit<Process, 'sid'> & { readonly tty: string; readonly isLeader: boolean };

const LSTART = '[A-Z][a-z]{2} +[A-Z][a-z]{2} +\\d+ +\\d+:\\d+:\\d+ +\\d{4}';
const ROW = new RegExp(
  `^ *(\\d{1,15}) +(\\d{1,15}) +(\\d{1,15}) +(-?\\d{1,15}) +(\\S{1,64}) +(\\S{1,64}) +(${LSTART}) +(\\S{1,64}) +(-|\\d{1,15}) (.*)$`,
);
const TEXT = new RegExp(`^ *(\\d{1,15}) +(${LSTART}) +(.*)$`);

// Rows are not read at one instant, so a chain of parents could in theory close into a ring.
const MAX_DEPTH = 64;

// macOS has states of its own: U is an uninterruptible wait, I a sleep of more than 20 seconds.
const STATES: Readonly<Record<string, string>> = { U: 'D', I: 'S' };

function columns(...names: string[]): string[] {
  return names.flatMap((name) => ['-o', `${name}=`]);
}

function parseRow(line: string): Row | null {
  const match = ROW.exec(line);
  if (match === null) return null;
  const [, pid, ppid, pgid, tpgid, tty = '', stat = '', lstart = '', time = '', rss = '', name = ''] = match;
  const startTicks = parseStart(lstart);
  if (Number.isNaN(startTicks)) return null;
  const letter = stat.charAt(0);
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    pgid: Number(pgid),
    tpgid: Number(tpgid) > 0 ? Number(tpgid) : -1,
    state: STATES[letter] ?? letter,
    startTicks,
    startedAt: startTicks * 1000,
    comm: visible(name.trim()),
    cpuMs: parseCpuMs(time),
    rssBytes: (Number.parseInt(rss, 10) || 0) * 1024,
    tty,
    isLeader: stat.includes('s'),
  };
}

// "Tue Nov 14 09:20:31 2026", the C locale's %c.
function parseStart(lstart: string): number {
  const [, month, day, clock, year] = lstart.split(/ +/);
  return Math.floor(Date.parse(`${day} ${month} ${year} ${clock} GMT`) / 1000);
}

// "123:45.67": minutes without bound, seconds, hundredths; `-` where ps lacks the right to know.
function parseCpuMs(time: string): number {
  const match = /^(\d{1,15}):(\d{1,2})\.(\d{1,2})$/.exec(time);
  if (match === null) return 0;
  return (Number(match[1]) * 60 + Number(match[2])) * 1000 + Number(match[3]) * 10;
}

// ps prints the session as a kernel pointer, blanked out on current systems. A terminal belongs to one session, whose
// leader is flagged `s`; without a terminal the nearest leader above counts, and without that the group.
function sessionIds(rows: readonly Row[]): Map<number, number> {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const leaders = rows.filter((row) => row.isLeader && row.tty !== '??');
  const leaderOf = new Map(leaders.map((row) => [row.tty, row.pid]));
  const find = (row: Row): number => {
    if (row.isLeader) return row.pid;
    const onTerminal = leaderOf.get(row.tty);
    if (onTerminal !== undefined) return onTerminal;
    let above = byPid.get(row.ppid);
    for (let step = 0; above !== undefined && above.pid > 1 && step < MAX_DEPTH; step++) {
      if (above.isLeader) return above.pid;
      above = byPid.get(above.ppid);
    }
    return row.pgid;
  };
  return new Map(rows.map((row) => [row.pid, find(row)]));
}
