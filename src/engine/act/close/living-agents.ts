import type { FoundAgent } from '../../../core/close/ended.ts';
import type { Hands } from '../hands.ts';
import { livingOf } from './processes.ts';

/** The agents of which no process lives any more. */
export function goneOf(hands: Hands, agents: readonly FoundAgent[]): FoundAgent[] {
  return agents.filter(({ processes }) => livingOf(hands, processes).length === 0);
}
