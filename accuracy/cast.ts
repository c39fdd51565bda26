import type { Actor } from './actor.ts';
import type { Exit } from './exits.ts';
import type { Dwelling, Ground } from './habitat.ts';
import type { RequestLog } from './model/request-log.ts';
import type { PrivateTmux } from './private-tmux.ts';
import type { Rival } from './rival.ts';
import type { Props } from './scenes.ts';
import type { Specimen, Variant } from './specimens/specimen.ts';

/** One agent in one configuration, with a home and a tmux server of its own. */
export interface Lane {
  readonly name: string;
  readonly specimen: Specimen;
  readonly variant: Variant;
  readonly columns: number;
  readonly hasHooks: boolean;
  readonly scenes: readonly string[];
  readonly exits: readonly Exit[];
  readonly hasTrust: boolean;
  /** Two sessions over one shared server process. */
  readonly isPair: boolean;
}

/** What all lanes share. */
export interface Venue {
  readonly ground: Ground;
  readonly log: RequestLog;
  readonly rivalFor: (kind: Specimen['kind']) => Rival;
  readonly holdMs: number;
  say(line: string): void;
  /** Undone on the way out, whatever happens. */
  onEnd(undo: () => void): void;
}

/** A session and everything needed to bring it on. */
export interface Cast {
  readonly lane: Lane;
  readonly venue: Venue;
  readonly dwelling: Dwelling;
  readonly tmux: PrivateTmux;
  readonly props: Props;
  /** Dialogs that a home shows once and that have been answered in it. */
  readonly answered: Set<RegExp>;
  enter(name: string): Actor;
  leave(actor: Actor): void;
  /** Plays one state; what could not be reached is noted and the rest goes on. */
  attempt(state: string, actors: readonly Actor[], play: () => Promise<void>): Promise<boolean>;
}
