import type { EndedDead, EndedWell } from '../../contract/guard-document.ts';
import { adviceOn } from '../../core/guard/advice.ts';
import type { PaneFate } from '../../core/guard/pane-fate.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/visible.ts';
import { Failure } from '../../operations/failure.ts';

/** What became of the sentinel. */
interface SentinelNote {
  readonly path: string;
  readonly problem: string | null;
}

/** One line about a watch that ended well. */
export function guardLine(outcome: EndedWell): string {
  const name = visible(outcome.name, 200);
  if (outcome.state === 'ended') return `${name}: ${outcome.why}`;
  const alive = outcome.panes.filter((pane) => pane.state === 'alive').length;
  const panes = counted(alive, 'pane');
  return `${name}: alive, ${panes}, watched for ${(outcome.watchedMs / 1000).toFixed(1)} s`;
}

const ADVICE = {
  restart: 'start it again',
  'fix-command': 'its program cannot be started: check the command before starting it again',
  'check-replacement': 'look at the session that has its name now before starting it again',
} as const;

/** A death, as a person reads it. */
export function guardFailure(outcome: EndedDead, sentinel: SentinelNote | null): Failure {
  const { suggestedAction } = adviceOn(outcome.cause, outcome.panes);
  return new Failure('infrastructure-failure', `'${outcome.name}' died: ${outcome.why}`, {
    details: [
      ...outcome.panes.flatMap((pane) => [paneLine(pane), ...lastLine(pane.screen?.lines)]),
      ...(sentinel === null ? [] : [sentinelLine(sentinel)]),
    ],
    hint: ADVICE[suggestedAction],
  });
}

function paneLine({ paneId, pid, state, process, exit }: PaneFate): string {
  const untold = process === 'dead' ? ', exit status not known' : '';
  const told = exit?.signal ?? `exit status ${exit?.status}`;
  const end = exit === null ? untold : `, ${told}`;
  const life = process === 'alive' && state !== 'alive' ? ', its process still runs' : '';
  return `${paneId}  pid ${pid}  ${state}${end}${life}`;
}

function lastLine(lines: readonly string[] | undefined): string[] {
  const last = lines?.findLast((line) => line.trim() !== '');
  return last === undefined ? [] : [`  last on its screen: ${last.trim()}`];
}

function sentinelLine({ path, problem }: SentinelNote): string {
  return problem === null ? `sentinel: ${path}` : `the sentinel could not be written: ${problem}`;
}
