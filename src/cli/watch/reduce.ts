import { bodyRows } from './layout.ts';
import { press } from './press.ts';
import { shownEntries } from './shown.ts';
import type { WatchEvent, WatchPage, WatchState } from './state.ts';

/** The next state. The selection stays on its session wherever that moves, and always on the screen. */
export function reduce(state: WatchState, event: WatchEvent, now: number): WatchState {
  const current = { ...state, now };
  const next = happened(current, event);
  // Most of a long paste changes nothing, and settling costs a pass over the roll.
  return next === current ? current : settled(next);
}

function happened(state: WatchState, event: WatchEvent): WatchState {
  switch (event.type) {
    case 'pressed':
      return press(state, event.key);
    case 'resized':
      return { ...state, columns: event.columns, rows: event.rows };
    case 'ticked':
      return state;
    case 'look-due':
      return { ...state, wantsLook: true };
    case 'look-began':
      return began(state, event.isThorough);
    case 'looked':
      return looked(state, event);
    case 'fed':
      return fed(state, event);
    case 'look-failed':
      return { ...state, lookingSince: null, failure: event.text };
    case 'ended':
      return { ...state, isOver: true };
  }
}

function began(state: WatchState, isThorough: boolean): WatchState {
  const { page } = state;
  const asked: WatchPage = isThorough && page.kind === 'explain' ? { ...page, wantsLook: false } : page;
  return { ...state, lookingSince: state.now, wantsLook: false, page: asked };
}

// A look of our own may be under way, and goes on.
function fed(state: WatchState, { roll, hidden, note }: Extract<WatchEvent, { type: 'fed' }>): WatchState {
  const { lookingSince } = state;
  return { ...looked(state, { type: 'looked', roll, hidden, isThorough: false }), lookingSince, note };
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
