import { RECORDS, type RecordKind } from '../../../src/adapters/tmux/listing-command.ts';

/** The nonce of hand-made answers. */
export const NONCE = 'f00dfeed0badcafe99';

const TYPICAL: Record<RecordKind, Readonly<Record<string, string>>> = {
  server: { pid: '4242', version: '3.3a', start_time: '1700000000', 'S:.': '.' },
  pane: {
    ...{ session_created: '1700000000', session_last_attached: '', session_name: 'main', session_group: '' },
    '@rollcall_held': '',
    ...{ session_id: '$0', pane_id: '%0', window_index: '0', pane_index: '0' },
    ...{ window_active: '1', pane_active: '1', pane_pid: '4243', pane_dead: '0', pane_dead_status: '' },
    ...{ pane_dead_signal: '', window_activity: '1700000100', alternate_on: '0' },
    ...{ pane_in_mode: '0', window_linked: '0' },
    ...{
      pane_title: 'host',
      pane_tty: '/dev/pts/7',
      pane_start_command: 'sh -i',
      pane_start_path: '',
      pane_current_path: '',
      cut: '',
    },
  },
  client: {
    ...{ session_id: '$0', client_pid: '4300', client_activity: '1700000200', client_control_mode: '0' },
    client_tty: '/dev/pts/3',
  },
  end: {},
};

/** One record as tmux prints it, typical but for what the test says. */
export function line(kind: RecordKind, changes: Readonly<Record<string, string>> = {}): string {
  const values = { ...TYPICAL[kind], ...changes };
  const { facts, texts } = RECORDS[kind];
  const fields = [
    kind,
    Object.keys(facts)
      .map((name) => values[name])
      .join(','),
    ...texts.map((name) => values[name]),
  ];
  return `${NONCE}${fields.join(NONCE)}${NONCE}\n`;
}
