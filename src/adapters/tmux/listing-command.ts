import { beginning, longer, wholeOrNothing } from './bounded-format.ts';

const SESSION_ID = /\$\d+/;
const PANE_ID = /%\d+/;
const NUMBER = /\d{1,15}/;
/** Formats that some version or state leaves empty. */
const MAYBE = /\d{0,15}/;
const VERSION = /[^\s,]{1,64}/;

/**
 * What is asked for, by kind of record and in this order. Facts have a shape that holds no comma, and an answer that
 * does not fit it is not a listing; texts may hold anything.
 */
export const RECORDS = {
  // `S:.` is a dot for each session.
  server: { facts: { pid: NUMBER, version: VERSION, start_time: MAYBE, 'S:.': /\.*/ }, texts: [] },
  pane: {
    facts: {
      session_id: SESSION_ID,
      session_created: NUMBER,
      session_last_attached: MAYBE,
      pane_id: PANE_ID,
      window_index: NUMBER,
      pane_index: NUMBER,
      window_active: MAYBE,
      pane_active: MAYBE,
      // A pane without a process (`new-window ''`) may report -1.
      pane_pid: /-?\d{1,15}/,
      pane_dead: MAYBE,
      pane_dead_status: MAYBE,
      // Since 3.3; a number or a bare name, as the C library has it.
      pane_dead_signal: /\w*/,
      // Moves with output in detached sessions, which session_activity does not.
      window_activity: MAYBE,
      alternate_on: MAYBE,
      pane_in_mode: MAYBE,
      window_linked: MAYBE,
      // A program that reads what the pane shows, or writes into it.
      pane_pipe: MAYBE,
    },
    texts: [
      'session_name',
      'session_group',
      // Set by `rollcall hold`; whatever stands there holds it.
      '@rollcall_held',
      'pane_title',
      'pane_tty',
      'pane_start_command',
      'pane_start_path',
      'pane_current_path',
      // Says that texts of this record were longer than what is asked for.
      'cut',
    ],
  },
  client: {
    facts: { session_id: SESSION_ID, client_pid: NUMBER, client_activity: MAYBE, client_control_mode: MAYBE },
    texts: ['client_tty'],
  },
  end: { facts: {}, texts: [] },
} as const satisfies Record<string, { facts: Record<string, RegExp>; texts: readonly string[] }>;

export type RecordKind = keyof typeof RECORDS;

/**
 * The one command list that a server is asked per look. tmux runs it without a break, so its parts agree with each
 * other. The server record counts the sessions: it proves that no panes at all is an answer (list-panes fails on a server
 * without sessions), and the end record proves that nothing was cut off. Sessions are told with each of their panes,
 * which costs tmux half of what a list of their own does.
 */
export function listingCommand(nonce: string, asksPath: boolean): string[] {
  const format = (kind: RecordKind): string => recordFormat(kind, nonce, asksPath);
  return [
    ...['display-message', '-p', format('server'), ';'],
    ...['list-panes', '-a', '-F', format('pane'), ';'],
    ...['list-clients', '-F', format('client'), ';'],
    ...['display-message', '-p', format('end')],
  ];
}

// Each format costs about a millisecond per thousand panes, so nothing is asked in vain. pane_current_path makes tmux
// read /proc for every pane, so it is asked only where there is no process sensor to ask; where a pane was started
// matters only once it is dead.
function recordFormat(kind: RecordKind, nonce: string, asksPath: boolean): string {
  const { facts, texts } = RECORDS[kind];
  const asked = Object.keys(facts).map((name) => `#{${name}}`);
  const head = [kind, asked.join(','), ''].join(nonce);
  return `${nonce}${head}${textsFormat(texts, nonce, asksPath)}${texts.length === 0 ? '' : nonce}`;
}

/** Texts of a pane that together are longer than this, in bytes, are asked for in part. */
const MAX_TEXTS_BYTES = 8192;
/** A socket and a terminal have paths that are far shorter. */
const MAX_PATH_BYTES = 4096;

/** All texts where they are short, as nearly always: that costs tmux one measure. Parts of them where they are not. */
function textsFormat(texts: readonly string[], nonce: string, asksPath: boolean): string {
  const whole = (name: string): string => {
    if (name === 'cut' || (name === 'pane_current_path' && !asksPath)) return '';
    const value = PATHS.has(name) ? wholeOrNothing(name, MAX_PATH_BYTES) : `#{${name}}`;
    return name === 'pane_start_path' ? `#{?pane_dead,${value},}` : value;
  };
  const inPart = (name: string): string => PARTS[name] ?? whole(name);
  const measured = texts.filter((name) => PARTS[name] !== undefined && name !== 'cut');
  if (measured.length === 0) return texts.map(whole).join(nonce);
  const isLong = longer(measured.map((name) => `#{${name}}`).join(''), MAX_TEXTS_BYTES);
  return `#{?${isLong},${texts.map(inPart).join(nonce)},${texts.map(whole).join(nonce)}}`;
}

const PATHS: ReadonlySet<string> = new Set(['pane_start_path', 'pane_current_path', 'client_tty']);

/** What is asked for where the texts are too long: beginnings, for people to read, and that it is so. */
const PARTS: Readonly<Record<string, string>> = {
  session_name: beginning('session_name', 1024),
  session_group: beginning('session_group', 1024),
  // Whatever stands there holds it.
  '@rollcall_held': '#{?#{==:#{@rollcall_held},},,held}',
  pane_title: beginning('pane_title', 1024),
  pane_start_command: beginning('pane_start_command', 4096),
  cut: 'cut',
};
