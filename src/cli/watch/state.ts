import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { Lifecycle } from '../../core/verdict/verdict.ts';
import type { Key } from './keys.ts';

/** What the screen shows. */
export type WatchPage = { readonly kind: 'roll' } | { readonly kind: 'typing' } | ExplainPage;

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
  /** A line below the title, from whoever feeds the watch. */
  readonly note: string | null;
  readonly wantsLook: boolean;
  readonly filterText: string;
  readonly lifecycle: Lifecycle | null;
  readonly selectedKey: string | null;
  readonly selectedIndex: number;
  /** First row of the roll that is on the screen. */
  readonly top: number;
  readonly page: WatchPage;
  /** The keys lie over the page, which goes on below. */
  readonly isHelpShown: boolean;
  readonly isOver: boolean;
}

/** Everything that can happen. */
export type WatchEvent =
  | { readonly type: 'pressed'; readonly key: Key }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly type: 'ticked' }
  | { readonly type: 'look-due' }
  | { readonly type: 'look-began'; readonly isThorough: boolean }
  | { readonly type: 'looked'; readonly roll: Roll; readonly hidden: number; readonly isThorough: boolean }
  /** A roll that somebody else took. */
  | { readonly type: 'fed'; readonly roll: Roll; readonly hidden: number; readonly note: string }
  | { readonly type: 'look-failed'; readonly text: string }
  | { readonly type: 'ended' };

/** Before the first look. */
export function initialState(columns: number, rows: number, now: number): WatchState {
  return {
    columns,
    rows,
    now,
    roll: null,
    hidden: 0,
    lookingSince: null,
    failure: null,
    note: null,
    wantsLook: false,
    filterText: '',
    lifecycle: null,
    selectedKey: null,
    selectedIndex: 0,
    top: 0,
    page: { kind: 'roll' },
    isHelpShown: false,
    isOver: false,
  };
}
