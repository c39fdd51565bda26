import type { RestoreReport } from '../../core/restore/report.ts';
import { counted } from '../../core/text/counted.ts';
import { Failure } from '../../operations/failure.ts';
import { restoredDocument, restoreLost, USUAL_PARALLEL } from '../../operations/restore.ts';
import { askYes } from '../frame/ask.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle, word } from '../frame/flags.ts';
import { isColor } from '../frame/is-color.ts';
import { SESSIONS } from '../frame/session-words.ts';
import { writeJson } from '../frame/write-json.ts';
import { readSince } from '../log/since.ts';
import { printLines } from '../render/line.ts';
import { serverWords } from '../roll/take-roll.ts';
import { restoreLines, showRestoreProgress } from './report.ts';

const MOST_PARALLEL = 32;

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Bring back the sessions that a crash or a reboot took.',
  usage: ['rollcall restore [SESSION…] [flags]'],
  description: [
    'Finds the managed sessions that went with their tmux server (it crashed, was killed, ran out of memory) or with a reboot, and that nobody closed. Lists them with what comes back and what does not, asks, and brings them back, some at a time.',
    'Each comes back as it was last seen: server, name, windows, panes and their folders, and the agent in the conversation that it was in last, with the same program, options and --env variables. A first prompt is never sent again. Role, task and owner, a hold, a running retention and unfinished work of the gate come along. A completion does not: it spoke for programs that are gone.',
    'Programs that are no agents are not run again by themselves: a part of their work may be done, or all of it. A shell comes in their place, in the same folder, and they are named. What only shows or edits something (less, tail, vim) runs again. With --programs also what rollcall run had started, unless it still runs. The same goes for an agent that a script of yours had launched (./prepare.sh -- claude): the script may do its work again.',
    'How a session was last seen is kept by a running daemon, a few seconds after it changed, and by every command that changes something. Where nothing was kept, only the first pane comes back, by how it was started.',
    'Each is restored at most once, also by several at once: refused where the session, one that was reopened from it, or its conversation lives. However long you take to answer, everything is looked at again before it is made: what was brought back, closed, completed or has ended meanwhile is left alone. What fails keeps no other, stays lost, and can be tried again.',
    'With --asleep no agent is started. Each session is there with its windows, and in the pane of its agent a sleeper waits (see rollcall hibernate): fifty agents come back without fifty gigabytes. A session without an agent comes back as without --asleep.',
    'Sessions that ended by themselves, were closed, or were gone while their server still lived are not restored; the last ones only where you name them. That they were gone is remembered by a running daemon and by every command that changes something; what nobody saw before the crash is listed. So is the last session of a server, which ends with it. Folders and repositories are not touched.',
  ],
  flags: {
    asleep: toggle(
      'Let the agents sleep: each waits in its pane without its memory, until Enter or rollcall wake.',
    ),
    'dry-run': toggle('Say what would come back, and do nothing.'),
    programs: toggle(
      'Also start programs again that are no agents, and agents behind a script of yours, where rollcall run had started them.',
    ),
    since: word('TIME', 'Only sessions that were last seen within that time, such as 2h, or since a date.'),
    parallel: word('N', `How many are brought back at the same time, 1 to ${MOST_PARALLEL}.`, {
      default: String(USUAL_PARALLEL),
    }),
    yes: toggle('Do not ask. Needed where there is no terminal.', 'y'),
  },
  positional: { ...SESSIONS, min: 0 },
  examples: {
    'rollcall restore --dry-run': 'what was lost, and what would come back',
    'rollcall restore': 'all of it, after a question',
    'rollcall restore --asleep': 'without taking the memory of all agents at once',
    'rollcall restore --since 2h --yes': 'only what the last crash took, unasked',
    'rollcall restore build --programs': 'and start its program once more',
    'rollcall restore build': 'only this one, also where somebody removed it',
    "rollcall restore --yes --json | jq '.sessions[].missing'": 'for programs',
  },
  exits: {
    done: 'all of it is there again, or nothing is lost',
    failed:
      'some could not be restored, or a server gives no answer; they are named, and the others are there',
    usage: 'a wrong value, neither a terminal nor --yes, or a broken config file; nothing was started',
    refused: 'nobody said yes; nothing was started',
    'not-found': 'no session of this name is lost',
    ambiguous: 'several lost sessions have this name; they are listed',
  },
  run: async ({ flags, words, surroundings }) => {
    const { stdout, stderr, now } = surroundings;
    const since = flags.since === undefined ? undefined : readSince(flags.since, now());
    const isAsked = surroundings.stdin.isTTY && stdout.isTTY && !flags.json;
    const isPainted = isColor(flags, surroundings);
    const isErrorPainted = isColor(flags, { ...surroundings, stdout: stderr });
    const say = (reports: readonly RestoreReport[]) => {
      const lines = reports.flatMap((one) => restoreLines(one, now(), stdout.columns));
      if (!flags.json) stdout.write(printLines(lines, isPainted));
    };
    const wish = {
      ...{ sessions: words, servers: serverWords(flags.server, surroundings), since },
      ...{ dryRun: flags['dry-run'], yes: flags.yes, asleep: flags.asleep, programs: flags.programs },
      parallel: parallelIn(flags.parallel),
    };
    const ask = (plans: readonly RestoreReport[]) => {
      say(plans);
      return askYes(`Restore ${counted(plans.length, 'session')}?`, surroundings);
    };
    const restored = await restoreLost(wish, atHere(surroundings, flags), {
      ...(isAsked && { ask }),
      onProgress: showRestoreProgress(stderr, isErrorPainted),
    });
    const { reports, untold } = restored;
    say(reports);
    if (flags.json) writeJson(stdout, restoredDocument(restored, surroundings));
    else if (reports.length > 0 || untold.length === 0) stdout.write(`${summary(reports)}\n`);
    for (const { text } of untold) stderr.write(`rollcall: cannot tell whether sessions are lost: ${text}\n`);
    return untold.length > 0 || reports.some(({ result }) => result === 'failed') ? 1 : 0;
  },
});

function parallelIn(written: string | undefined): number {
  const parallel = Number(written ?? USUAL_PARALLEL);
  if (Number.isInteger(parallel) && parallel >= 1 && parallel <= MOST_PARALLEL) return parallel;
  throw new Failure('usage', `--parallel=${written} is not a number from 1 to ${MOST_PARALLEL}`, {
    hint: 'each starts an agent: a small number is kinder to the machine',
  });
}

function summary(reports: readonly RestoreReport[]): string {
  const number = (wanted: RestoreReport['result']) =>
    reports.filter(({ result }) => result === wanted).length;
  if (reports.length === 0) return 'nothing is lost';
  const failed = number('failed');
  const left = failed === 0 ? '' : `; ${failed} cannot be restored`;
  const planned = number('would-restore');
  if (planned > 0) return `${counted(planned, 'session')} would be restored${left}`;
  return `${number('restored')} of ${counted(reports.length, 'session')} restored${left}`;
}
