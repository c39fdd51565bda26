import type { WindowLayout } from '../../../core/sight/window.ts';
import { shownWords } from '../../../core/text/shown-words.ts';
import type { SessionTarget } from '../../../ports/actuator.ts';
import { MORE, wholeOrBeginning, wholeOrNothing } from '../bounded-format.ts';
import { createNonce } from '../run-tmux.ts';
import { actInSession, type Reach } from './act-if.ts';

/** How the session is laid out; null where that cannot be told. */
export async function readLayout(
  reach: Reach,
  session: SessionTarget,
): Promise<readonly WindowLayout[] | null> {
  const nonce = createNonce();
  const mark = createNonce();
  const format = `${nonce}${[FIELDS, COMMAND, FOLDER].join(mark)}${nonce}`;
  const acted = await actInSession(reach, session, (target) => [
    ['list-panes', '-s', '-t', target, '-F', format],
  ]);
  if (acted.state !== 'done') return null;
  const rows = acted.printed.toString('utf8').split(nonce);
  const panes = rows.filter((_, index) => index % 2 === 1).map((row) => parsePane(row.split(mark)));
  return panes.every((pane) => pane !== null) && panes.length > 0 ? windowsOf(panes) : null;
}

/** The name last: it is free text. */
const FIELDS = [
  '#{window_index} #{window_active} #{pane_active} #{pane_id} #{window_layout}',
  wholeOrBeginning('window_name', 1024),
].join(' ');
/** A longer one ends in … and is not known whole. */
const COMMAND = wholeOrBeginning('pane_start_command', 8192);
/** A path that is cut is another path. */
const FOLDER = wholeOrNothing('pane_start_path', 4096);
const ROW = /^(\d{1,15}) ([01]) ([01]) (%\d+) (\S+) (.*)$/s;

type Pane = Omit<WindowLayout, 'panes'> & { readonly pane: WindowLayout['panes'][number] };

function parsePane([row = '', shown = '', cwd = '']: readonly string[]): Pane | null {
  const match = ROW.exec(row);
  if (match === null) return null;
  const [, index = '', windowActive, paneActive, paneId = '', layout = '', name = ''] = match;
  const command = shown.endsWith(MORE) ? null : shownWords(shown);
  const own = shown === '' ? {} : { command, ...(cwd !== '' && { cwd }) };
  const pane = { paneId, isActive: paneActive === '1', ...own };
  return { index: Number(index), name, isActive: windowActive === '1', layout, pane };
}

// tmux lists windows by their index, and the panes of a window in their order.
function windowsOf(panes: readonly Pane[]): WindowLayout[] {
  const windows = new Map<number, WindowLayout & { readonly panes: WindowLayout['panes'][number][] }>();
  for (const { pane, ...window } of panes) {
    const panes = windows.get(window.index)?.panes ?? [];
    panes.push(pane);
    windows.set(window.index, { ...window, panes });
  }
  return [...windows.values()];
}
