import type { Acted } from '../../../ports/actuator.ts';
import type { ActedIf } from './act-if.ts';

/** For whatever comes from a record and is no id. */
export const NOT_IDS = { state: 'failed', text: 'not the ids of a tmux session' } as const;

export function asActed(acted: ActedIf): Acted {
  if (acted.state === 'done') return { state: 'done' };
  return acted.state === 'too-long' ? TOO_LONG : acted;
}

const TOO_LONG = { state: 'failed', text: 'tmux printed more than was asked' } as const;
