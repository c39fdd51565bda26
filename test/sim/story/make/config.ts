import type { Rng } from '../../machine/rng.ts';
import { MINUTE, SECOND } from '../kind.ts';
import type { StoryFields } from '../story.ts';

/** Settings of rollcall: the usual ones, or some that a careless or a patient user has. */
export function drawConfig(rng: Rng): StoryFields {
  const config: Record<string, string | number> = {};
  const maybe = (chance: number, key: string, value: () => string | number) => {
    const drawn = value();
    if (rng.chance(chance)) config[key] = drawn;
  };
  maybe(0.5, 'idleAfter', () => rng.int(2, 60) * MINUTE);
  maybe(0.3, 'exitedAfter', () => rng.int(1, 120) * SECOND);
  maybe(0.3, 'recentInput', () => rng.int(10, 600) * SECOND);
  maybe(0.5, 'reaper.idleAfter', () => rng.int(10, 1200) * SECOND);
  maybe(0.4, 'reaper.confirm', () => rng.int(5, 180) * SECOND);
  maybe(0.4, 'reaper.grace', () => rng.int(1, 120) * SECOND);
  maybe(0.4, 'reaper.settle', () => rng.int(1, 60) * SECOND);
  maybe(0.6, 'reaper.perHour', () => 1 + Math.floor(40 * rng.next() ** 3));
  maybe(0.5, 'reaper.prefer', () => 'close');
  maybe(0.3, 'reaper.longIdleFrom', () => 'moderate');
  maybe(0.2, 'wake.onAttach', () => 'on');
  maybe(0.15, 'daemon.settle', () => rng.pick(['off', 'shadow'] as const));
  maybe(0.3, 'restore.onBoot', () => rng.pick(['asleep', 'off'] as const));
  return config;
}
