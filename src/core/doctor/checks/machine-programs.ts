import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { ProgramSighting } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Programs that rollcall sees with. Without one of them a part of every look is missing. */
export const programs: DoctorCheck = {
  name: 'programs',
  group: 'machine',
  scope: 'machine',
  looksAt: 'tmux and git on PATH, which rollcall asks',
  examine: ({ machine }) => machine.programs.filter(({ isFound }) => !isFound).map(missing),
};

const WITHOUT: Readonly<Record<ProgramSighting['name'], string>> = {
  tmux: 'no session can be seen',
  git: 'whether work is saved cannot be told, so nothing in a repository closes by itself',
};

function missing({ name, path }: ProgramSighting): FindingParts {
  return {
    class: `${name}-missing`,
    severity: 'warning',
    text: `${name} is not installed, or not on PATH: ${WITHOUT[name]}`,
    evidence: [`PATH=${visible(path, 300)}`],
    advice: [
      `install it, or add the folder that has it to PATH; in a crontab with a line PATH=… above the jobs`,
    ],
    isUnseen: true,
  };
}
