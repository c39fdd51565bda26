import { toLockStatusDocument } from '../../contract/lock-document.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { isColor } from '../frame/is-color.ts';
import { writeJson } from '../frame/write-json.ts';
import { printLines } from '../render/line.ts';
import { rootOf } from './lock.ts';
import { lockStatusLines } from './render-status.ts';

export const lockStatusCommand = defineCommand({
  name: 'lock status',
  summary: 'Show which locks are held, and by whom.',
  usage: ['rollcall lock status [--project DIR] [flags]'],
  description: [
    'Shows every lock of this user, or of one project: held or free, who took it, for which task, since when, and every process that holds it now, also those that merely inherited it from a runner that is gone.',
    'Whether a lock is held is asked of the kernel, never of what a file says. On Linux a holder is shown also where its lock file was removed, or the project has another path by now. What a former holder left in the file of a free lock is shown as stale; it locks nothing. Looking takes no lock, and is in nobody’s way.',
  ],
  flags: {
    project: {
      kind: 'word',
      placeholder: 'DIR',
      isFile: true,
      help: 'Only the locks of the project around this folder.',
    },
  },
  positional: null,
  examples: [
    { command: 'rollcall lock status', what: 'every lock' },
    { command: 'rollcall lock status --project .', what: 'of this project' },
    {
      command: `rollcall lock status --json | jq '.locks[] | select(.state == "held")'`,
      what: 'for programs',
    },
  ],
  exits: [
    { name: 'done', when: 'the locks were printed, also when there are none' },
    { name: 'failed', when: 'the folder of the locks is not to be trusted' },
    { name: 'usage', when: 'an unknown flag' },
    { name: 'not-found', when: 'the project’s folder does not exist' },
  ],
  run: async ({ flags, surroundings }) => {
    const { stdout, now } = surroundings;
    const desk = await surroundings.lockDesk();
    const project = flags.project === undefined ? undefined : rootOf(desk, flags.project);
    const seen = desk.locks.sightings(project);
    if (seen.state === 'failed') throw new Failure('failed', seen.text, { hint: seen.hint });
    if (flags.json) writeJson(stdout, toLockStatusDocument(seen.locks, now()));
    else
      stdout.write(
        printLines(lockStatusLines(seen.locks, now(), stdout.columns), isColor(flags, surroundings)),
      );
    return 0;
  },
});
