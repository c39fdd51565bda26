import type { Roll, SessionEntry } from '../../core/roll.ts';
import type { Lifecycle } from '../../core/verdict.ts';
import type { Key } from './keys.ts';
import { bodyRows } from './layout.ts';
import { press } from './press.ts';
import { shownEntries } from './shown.ts';

/** What the screen shows. */
export type Page =
  | { readonly kind: 'roll' }
  | { readonly kind: 'typing' }
  | { readonly kind: 'help'; readonly back: Page }
  | ExplainPage;

/** One session in full. It opens with what the roll knew and is replaced once a thorough look is back. */
export interface ExplainPage {
  readonly kind: 'explain';
  readonly key: string;
  readonly roll: Roll;
  readonly entry: SessionEntry;
  readonly isThorough: boolean;
  readonly isGone: boolean;
  /** A thorough look is asked for and has not begun. */
  readonly wantsLook: boolean;
  readonly top: number;
}

/** Everything that the screen is made from. */
export interface WatchState {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  /** The last roll that was seen; a failed look does not take it away. */
  readonly roll: Roll | null;
  /** Sessions that the command's own filter keeps off the roll. */
  readonly hidden: number;
  /** Since when a look is under way. */
  readonly lookingSince: number | null;
  readonly failure: string | null;
  readonly wantsLook: boolean;
  readonly filterText: string;
  readonly lifecycle: Lifecycle | null;
  readonly selectedKey: string | null;
  readonly selectedIndex: number;
  /** First row of the roll that is on the screen. */
  readonly top: number;
  readonly page: Page;
  readonly isOver: boolean;
}

/** Everything that can happen. */
export type WatchEvent =
  | { readonly type: 'pressed'; readonly key: Key }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly type: 'ticked' }
  | { readonly type: 'look-began'; readonly isThorough: boolean }
  | { readonly type: 'looked'; readonly roll: Roll; readonly hidden: number; readonly isThorough: boolean }
  | { readonly type: 'look-failed'; readonly text: string }
  | { readonly type: 'ended' };

export function initialState(columns: number, rows: number, now: number): WatchState {
  return {
    columns,
    rows,
    now,
    roll: null,
    hidden: 0,
    lookingSince: null,
    failure: null,
    wantsLook: true,
    filterText: '',
    lifecycle: null,
    selectedKey: null,
    selectedIndex: 0,
    top: 0,
    page: { kind: 'roll' },
    isOver: false,
  };
}

/** The next state. The selection stays on its session wherever that moves, and always on the screen. */
export function reduce(state: WatchState, event: WatchEvent, now: number): WatchState {
  return settled(happened({ ...state, now }, event));
}

function happened(state: WatchState, event: WatchEvent): WatchState {
  switch (event.type) {
    case 'pressed':
      return press(state, event.key);
    case 'resized':
      return { ...state, columns: event.columns, rows: event.rows };
    case 'ticked':
      return state;
    case 'look-began':
      return began(state, event.isThorough);
    case 'looked':
      return looked(state, event);
    case 'look-failed':
      return { ...state, lookingSince: null, failure: event.text };
    case 'ended':
      return { ...state, isOver: true };
  }
}

function began(state: WatchState, isThorough: boolean): WatchState {
  const { page } = state;
  const asked: Page = isThorough && page.kind === 'explain' ? { ...page, wantsLook: false } : page;
  return { ...state, lookingSince: state.now, wantsLook: false, page: asked };
}

function looked(state: WatchState, event: Extract<WatchEvent, { type: 'looked' }>): WatchState {
  const seen = { ...state, roll: event.roll, hidden: event.hidden, lookingSince: null, failure: null };
  const { page } = state;
  if (page.kind !== 'explain') return seen;
  const entry = event.roll.sessions.find((session) => session.key === page.key);
  if (entry === undefined) return { ...seen, page: { ...page, isGone: true } };
  // An ordinary look knows less than the thorough one before it, so it only says that the session is still there.
  const isBetter = event.isThorough || !page.isThorough;
  return {
    ...seen,
    page: isBetter
      ? { ...page, isGone: false, roll: event.roll, entry, isThorough: event.isThorough }
      : { ...page, isGone: false },
  };
}

function settled(state: WatchState): WatchState {
  const entries = shownEntries(state);
  const found = entries.findIndex((entry) => entry.key === state.selectedKey);
  const last = Math.max(0, entries.length - 1);
  const selectedIndex = found === -1 ? Math.min(state.selectedIndex, last) : found;
  const rows = Math.max(1, bodyRows(state));
  const highestTop = Math.max(0, entries.length - rows);
  const top = Math.min(Math.max(state.top, selectedIndex - rows + 1), selectedIndex, highestTop);
  return { ...state, selectedIndex, selectedKey: entries[selectedIndex]?.key ?? state.selectedKey, top };
}
