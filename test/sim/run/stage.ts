import type { Value } from '../../../src/config/setting.ts';
import type { Settings } from '../../../src/config/settings.ts';
import type { Machine } from '../machine/machine.ts';
import type { Rollcalls } from '../rollcall/rollcalls.ts';
import { settingsOf } from '../rollcall/settings.ts';
import type { Story } from '../story/story.ts';

/** A world in which a story is to be played. */
export interface Stageful {
  readonly machine: Machine;
  readonly rollcalls: Rollcalls;
}

/** Puts everything that a story has onto the clock of a world. */
export type Stage = (story: Story, world: Stageful) => void;

/** The settings of rollcall in a story: keys of `config explain`, with times in ms. */
export function settingsIn({ config }: Story): Settings {
  return settingsOf(config as Readonly<Record<string, Value>>);
}
