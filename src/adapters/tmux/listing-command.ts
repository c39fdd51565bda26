/** What is asked of each kind of record, in this order. `facts` never hold a comma; `texts` may hold anything. */
export const RECORDS = {
  session: {
    facts: ['session_id', 'session_created', 'session_last_attached'],
    texts: ['session_name', 'session_group'],
  },
  server: { facts: ['pid', 'version', 'start_time'], texts: [] },
  pane: {
    facts: [
      ...['session_id', 'pane_id', 'window_id', 'window_index', 'pane_index', 'window_active', 'pane_active'],
      ...['pane_pid', 'pane_dead', 'pane_dead_status', 'pane_dead_signal', 'pane_dead_time'],
      // Moves with output in detached sessions, which session_activity does not.
      ...['window_activity', 'alternate_on', 'pane_in_mode', 'window_linked'],
      ...['pane_width', 'pane_height', 'cursor_x', 'cursor_y', 'history_size'],
    ],
    texts: ['pane_title', 'pane_start_command', 'current_path'],
  },
  client: {
    facts: ['session_id', 'client_pid', 'client_activity', 'client_control_mode'],
    texts: ['client_tty'],
  },
  end: { facts: [], texts: [] },
} as const;

export type RecordKind = keyof typeof RECORDS;

/**
 * The one command list that a server is asked per look. tmux runs it without a break, so its parts agree with each
 * other. The server record follows the sessions: it proves that an empty list of sessions is an answer (list-panes
 * fails on a server without sessions), and the end record proves that nothing was cut off.
 */
export function listingCommand(nonce: string, asksPath: boolean): string[] {
  const format = (kind: RecordKind): string => recordFormat(kind, nonce, asksPath);
  return [
    ...['list-sessions', '-F', format('session'), ';'],
    ...['display-message', '-p', format('server'), ';'],
    ...['list-panes', '-a', '-F', format('pane'), ';'],
    ...['list-clients', '-F', format('client'), ';'],
    ...['display-message', '-p', format('end')],
  ];
}

// pane_current_path makes tmux read /proc for every pane, so it is asked only where there is no process sensor to ask.
function recordFormat(kind: RecordKind, nonce: string, asksPath: boolean): string {
  const { facts, texts } = RECORDS[kind];
  const fields = [
    kind,
    facts.map((fact) => `#{${fact}}`).join(','),
    ...texts.map((text) => (text !== 'current_path' ? `#{${text}}` : asksPath ? '#{pane_current_path}' : '')),
  ];
  return `${nonce}${fields.join(nonce)}${nonce}`;
}
