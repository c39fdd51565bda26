import { expect, it } from 'vitest';
import { isStillSaid } from '../../../src/engine/act/spoken-panes.ts';
import { idleAgent, NOW, sign, spoken } from '../../support/evidence.ts';

it.each([
  ['counts for nothing in the turn in which it was said', NOW.at - 1, true],
  ['counts in a turn that began later, though no look saw rest between them', NOW.at + 1, false],
])('S30: to say the same again %s', (_, beganAt, isStill) => {
  const said = spoken({ at: NOW.at });
  const hook = sign({ source: 'hook', isLive: false, turn: 'running', since: NOW.at + 1, beganAt });
  expect(isStillSaid(said, [said], { evidence: [...idleAgent(), hook] })).toBe(isStill);
});
