import { visible } from '../text/visible.ts';
import type { GateContract } from './contract.ts';
import type { StopDecision } from './decision.ts';

const MAX_LENGTH = 2000;
const TASK_LENGTH = 300;
const LINE_LENGTH = 300;

/** What the agent reads that is kept going: what is missing, which time this is, and how it comes to an end. */
export function reasonText(
  { id, task, reinforce, enforced }: Pick<GateContract, 'id' | 'task' | 'reinforce' | 'enforced'>,
  { missing }: Pick<StopDecision, 'missing'>,
): string {
  const head = [
    'This work is not finished.',
    ...(task === null || task === '' ? [] : [`Task: ${visible(task, TASK_LENGTH)}`]),
    'Missing:',
  ].join('\n');
  const isLast = enforced.used >= reinforce;
  const tail = [
    `This is reinforcement ${enforced.used} of ${reinforce}${isLast ? ', the last one' : ''}.`,
    'Go on with what is missing. The checks are looked at again when you stop.',
    `When they hold, \`rollcall gate finish ${id}\` ends it. If it cannot be done, say why and run \`rollcall gate abandon ${id}\`.`,
  ].join('\n');
  return `${head}\n${listed(missing, MAX_LENGTH - head.length - tail.length - 2)}\n${tail}`;
}

// As many lines as there is room for, and how many more there are.
function listed(missing: readonly string[], room: number): string {
  const lines = missing.map((one) => `- ${visible(one, LINE_LENGTH)}`);
  const whole = lines.join('\n');
  if (whole.length <= room) return whole;
  let shown = lines.length;
  const cut = () => [...lines.slice(0, shown), `- and ${lines.length - shown} more`].join('\n');
  while (shown > 0 && cut().length > room) shown -= 1;
  return cut();
}
