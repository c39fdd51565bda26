import { spoken } from '../../text/duration.ts';
import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { ReaperSighting } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Whether the reaper may do what it was set to, or fell back to shadow by itself. */
export const reaper: DoctorCheck = {
  name: 'reaper',
  group: 'machine',
  scope: 'machine',
  looksAt: 'the mode of the pressure reaper, and its breaker',
  examine: ({ machine, now }) => {
    const { mode, breaker, problem } = machine.reaper;
    if (problem !== null) return { problem: `the mode of the reaper: ${problem}; it is in shadow` };
    return breaker === null ? [] : [tripped(mode, breaker, now.at)];
  },
};

type Breaker = NonNullable<ReaperSighting['breaker']>;

function tripped(mode: ReaperSighting['mode'], breaker: Breaker, at: number): FindingParts {
  const { session } = breaker;
  const where = session === null ? '' : ` at session '${visible(session.name, 80)}'`;
  const since = spoken(Math.max(0, at - breaker.at));
  return {
    class: 'breaker-tripped',
    severity: mode === 'enforce' ? 'warning' : 'info',
    text: `the reaper’s breaker tripped ${since} ago${where}, and it closes nothing since: ${visible(breaker.text, 300)}`,
    evidence: [`${mode} was asked for`, `reason: ${visible(breaker.code, 80)}`],
    advice: [
      'see what it did before: rollcall reap report',
      `once that is understood, reset it: rollcall reap mode ${mode}`,
    ],
    ...(session !== null && { session: session.key }),
  };
}
