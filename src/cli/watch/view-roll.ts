import type { SessionEntry } from '../../core/sight/roll.ts';
import { longBytes, shortDuration } from '../render/amounts.ts';
import { fitLine, type Line, line, lineWidth, span } from '../render/line.ts';
import { activityTone, activityWords, lifecycleTone } from '../render/tones.ts';
import { wrap } from '../render/wrap.ts';
import { emptyLines } from '../roll/empty.ts';
import { joinParts, summaryParts } from '../roll/summary.ts';
import { rollTable } from '../roll/table.ts';
import { why } from '../roll/why.ts';
import { regions } from './layout.ts';
import { shownEntries } from './shown.ts';
import type { WatchState } from './state.ts';
import { filled, freshness, hintLine, titleLine } from './view-parts.ts';

/** The roll page: title, table, the selected session's whole reason, problems, status. */
export function rollView(state: WatchState): Line[] {
  const place = regions(state);
  const entries = shownEntries(state);
  const selected = entries[state.selectedIndex];
  const table = rollTable(entries, {
    columns: state.columns,
    now: state.now,
    selectedKey: selected?.key ?? null,
  });
  const isEmpty = entries.length === 0;
  const rows = isEmpty
    ? nothingToShow(state)
    : entries.slice(state.top, state.top + place.body).map((_, index) => table.row(state.top + index));
  return [
    ...filled([title(state)], place.title),
    ...filled(state.note === null ? [] : [line(state.note, 'quiet')], place.space),
    ...filled(isEmpty ? [] : [table.header], place.header),
    ...filled(rows, place.body),
    ...filled(
      selected === undefined ? [] : [beyond(state, place.body), ...detail(state, selected)],
      place.detail,
    ),
    ...filled(problems(state, place.problems), place.problems),
    ...filled([rollStatus(state)], place.status),
  ];
}

function title(state: WatchState): Line {
  const { roll } = state;
  if (roll === null) return titleLine([span('rollcall', 'heading')], freshness(state, null), state.columns);
  const sessions = shownEntries(state);
  const hidden = state.hidden + roll.sessions.length - sessions.length;
  return titleLine(summaryParts({ ...roll, sessions }, hidden), freshness(state, roll.at), state.columns);
}

function nothingToShow(state: WatchState): Line[] {
  const { roll } = state;
  if (roll === null) return state.failure === null ? [line('Taking the roll…', 'quiet')] : [];
  return emptyLines(roll, state.hidden + roll.sessions.length, state.columns);
}

// Columns are cut or left out where room is short, so the selected session stands here in full.
function detail({ now, columns }: WatchState, entry: SessionEntry): Line[] {
  const task = entry.task ?? entry.role;
  const facts = [
    span(entry.name, 'heading'),
    span(activityWords(entry), activityTone(entry)),
    span(`${entry.lifecycle} for ${shortDuration(now - entry.since)}`, lifecycleTone(entry.lifecycle)),
    ...(entry.agent === null ? [] : [span(entry.agent.kind)]),
    ...(task === null ? [] : [span(task)]),
    ...(entry.memoryBytes === null ? [] : [span(longBytes(entry.memoryBytes))]),
    ...(entry.attached === 0 ? [] : [span(`${entry.attached} attached`)]),
  ];
  const mark = span('› ', 'quiet');
  return [
    [mark, ...(joinParts(facts, columns - 2)[0] ?? [])],
    ...wrap([span('  ')], line(why(entry)), columns),
  ];
}

// What the window on a long roll does not show.
function beyond(state: WatchState, rows: number): Line {
  const below = shownEntries(state).length - state.top - rows;
  const parts = [
    ...(state.top > 0 ? [span(`↑ ${state.top} above`, 'quiet')] : []),
    ...(below > 0 ? [span(`↓ ${below} below`, 'quiet')] : []),
  ];
  return parts.length === 0 ? line() : [span('  '), ...(joinParts(parts, null)[0] ?? [])];
}

function problems({ roll, columns }: WatchState, rows: number): Line[] {
  const all = roll?.problems ?? [];
  return all.slice(0, rows).map((problem, index) => {
    const more = index === rows - 1 && all.length > rows ? ` (+${all.length - rows} more)` : '';
    return fitLine([span('! ', 'alarm'), span(problem.text + more)], columns);
  });
}

const HINTS = [
  ['q', 'quit'],
  ['?', 'help'],
  ['↑↓', 'select'],
  ['Enter', 'explain'],
  ['/', 'filter'],
  ['l', 'lifecycle'],
  ['r', 'look now'],
] as const;

/** The last line of the roll page: what is typed, else what went wrong, else the filter, else the keys. */
function rollStatus(state: WatchState): Line {
  if (state.page.kind === 'typing') {
    const typed = [span('/', 'heading'), span(state.filterText), span('▏')];
    return withHints(
      typed,
      [
        ['Enter', 'keep'],
        ['Esc', 'clear'],
      ],
      state.columns,
    );
  }
  if (state.failure !== null) return [span('! ', 'alarm'), span(`could not look: ${state.failure}`)];
  const filters = [
    ...(state.filterText.trim() === '' ? [] : [`“${state.filterText.trim()}”`]),
    ...(state.lifecycle === null ? [] : [state.lifecycle]),
  ];
  if (filters.length === 0) return hintLine(HINTS, state.columns);
  const shown = [span('only ', 'quiet'), span(filters.join(' and '), 'calm')];
  return withHints(shown, [['Esc', 'show all'], ...HINTS], state.columns);
}

function withHints(left: Line, hints: readonly (readonly [string, string])[], columns: number): Line {
  const room = columns - lineWidth(left) - 3;
  return room <= 0 ? left : [...left, span('   '), ...hintLine(hints, room)];
}
