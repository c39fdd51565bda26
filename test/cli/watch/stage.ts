import { printLine } from '../../../src/cli/render/line.ts';
import type { Key } from '../../../src/cli/watch/keys.ts';
import { readKeys } from '../../../src/cli/watch/keys.ts';
import { reduce } from '../../../src/cli/watch/reduce.ts';
import type { WatchEvent, WatchState } from '../../../src/cli/watch/state.ts';
import { initialState } from '../../../src/cli/watch/state.ts';
import { view } from '../../../src/cli/watch/view.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { entry, NOW, roll } from '../render/samples.ts';

/** A state to which things happen, one after the other, at the samples' instant. */
export class Stage {
  state: WatchState;
  now = NOW;

  constructor(columns = 80, rows = 24) {
    this.state = initialState(columns, rows, NOW);
  }

  happen(event: WatchEvent): this {
    this.state = reduce(this.state, event, this.now);
    return this;
  }

  /** A look brought sessions with these names, or these sessions. */
  looked(
    sessions: readonly (string | SessionEntry)[],
    changes: { isThorough?: boolean; hidden?: number } = {},
  ): this {
    const entries = sessions.map((one) => (typeof one === 'string' ? entry(one) : one));
    const { isThorough = false, hidden = 0 } = changes;
    return this.happen({ type: 'looked', roll: { ...roll(entries), at: this.now }, isThorough, hidden });
  }

  /** Text as typed, escape sequences included; a lone escape at the end is the Escape key. */
  type(text: string): this {
    const { keys, pending } = readKeys('', text);
    const all: Key[] = pending === '\u001b' ? [...keys, { name: 'escape' }] : keys;
    for (const key of all) this.happen({ type: 'pressed', key });
    return this;
  }

  get selected(): string | undefined {
    return this.state.roll?.sessions.find((session) => session.key === this.state.selectedKey)?.name;
  }

  get lines(): string[] {
    return view(this.state).map((pieces) => printLine(pieces, false).trimEnd());
  }

  get screen(): string {
    return this.lines.join('\n');
  }
}

export const DOWN = '\u001b[B';
export const UP = '\u001b[A';
export const PAGE_DOWN = '\u001b[6~';
export const PAGE_UP = '\u001b[5~';
export const ESCAPE = '\u001b';
export const ENTER = '\r';
