import { LIFECYCLES } from '../../core/verdict/verdict.ts';
import type { Key } from './keys.ts';
import { bodyRows, pageRows } from './layout.ts';
import { shownEntries } from './shown.ts';
import type { ExplainPage, WatchState } from './state.ts';
import { explainPageLines } from './view-explain.ts';

const LONGEST_FILTER = 200;

/** What a key does depends on the page; an interrupt ends the watch from everywhere. */
export function press(state: WatchState, key: Key): WatchState {
  if (key.name === 'interrupt') return { ...state, isOver: true };
  if (state.isHelpShown) return { ...state, isHelpShown: false };
  const { page } = state;
  switch (page.kind) {
    case 'roll':
      return onRoll(state, key);
    case 'typing':
      return onTyping(state, key);
    case 'explain':
      return onExplain(state, page, key);
  }
}

function onRoll(state: WatchState, key: Key): WatchState {
  const moved = moveSelection(state, key);
  if (moved !== null) return moved;
  switch (command(key)) {
    case 'q':
      return { ...state, isOver: true };
    case 'enter':
    case 'e':
      return openExplain(state);
    case '/':
      return { ...state, page: { kind: 'typing' } };
    case 'l':
      return cycleLifecycle(state);
    case 'r':
      return { ...state, wantsLook: true };
    case '?':
      return { ...state, isHelpShown: true };
    case 'escape':
      return { ...state, filterText: '', lifecycle: null };
    default:
      return state;
  }
}

function onTyping(state: WatchState, key: Key): WatchState {
  switch (key.name) {
    case 'text':
      if (state.filterText.length >= LONGEST_FILTER) return state;
      return { ...state, filterText: state.filterText + key.text };
    case 'backspace':
      return { ...state, filterText: [...state.filterText].slice(0, -1).join('') };
    case 'erase-line':
      return { ...state, filterText: '' };
    case 'enter':
      return { ...state, page: { kind: 'roll' } };
    case 'escape':
      return { ...state, filterText: '', page: { kind: 'roll' } };
    default:
      return moveSelection(state, key) ?? state;
  }
}

function onExplain(state: WatchState, page: ExplainPage, key: Key): WatchState {
  switch (command(key)) {
    case 'q':
    case 'escape':
      return { ...state, page: { kind: 'roll' } };
    case 'r':
      return { ...state, page: { ...page, wantsLook: true } };
    case '?':
      return { ...state, isHelpShown: true };
  }
  const rows = Math.max(1, pageRows(state));
  const highest = Math.max(0, explainPageLines(state, page).length - rows);
  const top = moved(Math.min(page.top, highest), key, rows, highest);
  return top === null ? state : { ...state, page: { ...page, top } };
}

function openExplain(state: WatchState): WatchState {
  const entry = shownEntries(state)[state.selectedIndex];
  if (entry === undefined || state.roll === null) return state;
  return {
    ...state,
    page: {
      kind: 'explain',
      key: entry.key,
      roll: state.roll,
      entry,
      isThorough: false,
      isGone: false,
      wantsLook: true,
      top: 0,
    },
  };
}

// Only a lifecycle that would show something is worth a step; after the last comes all of them again.
function cycleLifecycle(state: WatchState): WatchState {
  const present = new Set(shownEntries({ ...state, lifecycle: null }).map((entry) => entry.lifecycle));
  const from = state.lifecycle === null ? 0 : LIFECYCLES.indexOf(state.lifecycle) + 1;
  return { ...state, lifecycle: LIFECYCLES.slice(from).find((lifecycle) => present.has(lifecycle)) ?? null };
}

function moveSelection(state: WatchState, key: Key): WatchState | null {
  const entries = shownEntries(state);
  const last = Math.max(0, entries.length - 1);
  const index = moved(state.selectedIndex, key, Math.max(1, bodyRows(state)), last);
  if (index === null) return null;
  return { ...state, selectedIndex: index, selectedKey: entries[index]?.key ?? state.selectedKey };
}

function moved(from: number, key: Key, page: number, last: number): number | null {
  const name = command(key);
  const to = MOVES[LETTERS[name] ?? name]?.(from, page, last);
  return to === undefined ? null : Math.max(0, Math.min(to, last));
}

const LETTERS: Readonly<Record<string, string>> = {
  k: 'up',
  j: 'down',
  ' ': 'page-down',
  g: 'home',
  G: 'end',
};

const MOVES: Readonly<Record<string, (from: number, page: number, last: number) => number>> = {
  up: (from) => from - 1,
  down: (from) => from + 1,
  'page-up': (from, page) => from - page,
  'page-down': (from, page) => from + page,
  home: () => 0,
  end: (_from, _page, last) => last,
};

function command(key: Key): string {
  return key.name === 'text' ? key.text : key.name;
}
