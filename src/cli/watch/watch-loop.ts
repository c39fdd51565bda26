import type { Surroundings } from '../frame/surroundings.ts';
import { printLine } from '../render/line.ts';
import { flushKeys, type Key, readKeys } from './keys.ts';
import { lookAgain, type WatchOptions } from './look-again.ts';
import { reduce } from './reduce.ts';
import type { Screen } from './screen.ts';
import type { WatchEvent, WatchState } from './state.ts';
import { view } from './view.ts';

// Ages are shown in whole seconds.
const TICK_MS = 1000;
// Terminals send an escape sequence in one go; over a slow line its rest is there well within this time.
const ESCAPE_MS = 50;

/** Keeps the state, draws it after each event, and looks when it is due. */
export interface WatchLoop {
  /** Draws what follows from the event; anew where something else may stand on the screen. */
  happen(event: WatchEvent, isAnew?: boolean): void;
  typed(text: string): void;
  stop(): void;
}

interface LoopParts {
  readonly surroundings: Surroundings;
  readonly options: WatchOptions;
  readonly screen: Screen;
  readonly initial: WatchState;
  /** Called once: without an error when the person is done. */
  readonly end: (error?: unknown) => void;
}

/** Starts with the first look. Looks never overlap: one that is wanted meanwhile waits for the one under way. */
export function startLoop({ surroundings, options, screen, initial, end }: LoopParts): WatchLoop {
  let state = initial;
  let isRunning = true;
  let pending = '';
  let escapeTimer: NodeJS.Timeout | undefined;
  let dueTimer: NodeJS.Timeout | undefined;
  const ticker = setInterval(() => take([{ type: 'ticked' }]), TICK_MS);

  const stop = () => {
    isRunning = false;
    stopFeed?.();
    clearInterval(ticker);
    clearTimeout(escapeTimer);
    clearTimeout(dueTimer);
  };

  // A paste is many events and one picture.
  const take = (events: readonly WatchEvent[], isAnew = false) => {
    if (!isRunning) return;
    try {
      if (isAnew) screen.renew();
      for (const event of events) state = reduce(state, event, surroundings.now());
      if (state.isOver) {
        stop();
        end();
        return;
      }
      const wanted = wantedLook(state);
      if (wanted !== null)
        state = reduce(state, { type: 'look-began', isThorough: wanted.isThorough }, surroundings.now());
      screen.draw(view(state).map((pieces) => printLine(pieces, options.isColor)));
      if (wanted !== null) look(wanted);
    } catch (error) {
      stop();
      end(error);
    }
  };

  const look = ({ isThorough, closerKey }: WantedLook) => {
    clearTimeout(dueTimer);
    void lookAgain(surroundings, options.filter, closerKey)
      .then(
        ({ roll, hidden }): WatchEvent => ({ type: 'looked', roll, hidden, isThorough }),
        (error): WatchEvent => ({
          type: 'look-failed',
          text: error instanceof Error ? error.message : String(error),
        }),
      )
      .then((event) => {
        if (isRunning && options.feed === undefined)
          dueTimer = setTimeout(() => take([{ type: 'look-due' }]), options.everyMs);
        take([event]);
      });
  };

  const pressed = (keys: readonly Key[]) => {
    const events = keys.map((key): WatchEvent => ({ type: 'pressed', key }));
    take(
      events,
      keys.some((key) => key.name === 'redraw'),
    );
  };

  const stopFeed = options.feed?.onRoll((roll, note) => {
    void lookAgain(surroundings, options.filter, null, async () => roll).then(
      ({ roll: shown, hidden }) => take([{ type: 'fed', roll: shown, hidden, note }]),
      () => {},
    );
  });

  take([{ type: 'look-due' }]);
  return {
    happen: (event, isAnew) => take([event], isAnew),
    typed: (text) => {
      clearTimeout(escapeTimer);
      const read = readKeys(pending, text);
      pending = read.pending;
      if (pending !== '') {
        escapeTimer = setTimeout(() => {
          const keys = flushKeys(pending);
          pending = '';
          pressed(keys);
        }, ESCAPE_MS);
      }
      pressed(read.keys);
    },
    stop,
  };
}

interface WantedLook {
  readonly isThorough: boolean;
  readonly closerKey: string | null;
}

// An explanation someone waits for comes before the ordinary round.
function wantedLook(state: WatchState): WantedLook | null {
  if (state.lookingSince !== null) return null;
  const { page } = state;
  if (page.kind === 'explain' && page.wantsLook) {
    return { isThorough: true, closerKey: page.entry.key };
  }
  return state.wantsLook ? { isThorough: false, closerKey: null } : null;
}
