import type { Roll } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import { ENDINGS, onInterrupt } from '../frame/interrupt.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { renderRoll } from '../roll/render-roll.ts';
import { lookAgain, type WatchLook, type WatchOptions } from './look-again.ts';

/** Prints the roll whenever it says something new, until a signal comes: for pipes, logs and programs. */
export async function watchStream(surroundings: Surroundings, options: WatchOptions): Promise<number> {
  const { ended, pause, release } = onInterrupt(surroundings, ENDINGS);
  const print = options.isJson ? await jsonPrinter(surroundings) : textPrinter(surroundings, options);
  let shown = '';
  let failed = '';
  try {
    for (;;) {
      const seen = await Promise.race([
        ended,
        outcome(lookAgain(surroundings, options.filter, null, options.look)),
      ]);
      if (seen === 'ended') return 0;
      if (seen instanceof Error) {
        if (seen.message !== failed)
          surroundings.stderr.write(`! could not look: ${visible(seen.message)}\n`);
        failed = seen.message;
      } else {
        failed = '';
        const mark = changeMark(seen.roll);
        if (mark !== shown) print(seen);
        shown = mark;
      }
      if ((await pause(options.everyMs)) === 'ended') return 0;
    }
  } finally {
    release();
  }
}

async function outcome(look: Promise<WatchLook>): Promise<WatchLook | Error> {
  try {
    return await look;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function textPrinter({ stdout, now }: Surroundings, { isColor }: WatchOptions): (seen: WatchLook) => void {
  let isFirst = true;
  return ({ roll, hidden }) => {
    const text = renderRoll(roll, { columns: stdout.columns, isColor, now: now(), hidden });
    stdout.write(isFirst ? text : `\n${text}`);
    isFirst = false;
  };
}

// One document per line, also on a terminal: whoever asks for a stream of JSON reads it line by line.
async function jsonPrinter({ stdout }: Surroundings): Promise<(seen: { readonly roll: Roll }) => void> {
  const { toRollDocument } = await import('../../contract/roll-document.ts');
  return ({ roll }) => stdout.write(`${JSON.stringify(toRollDocument(roll))}\n`);
}

/**
 * A text that is equal for two rolls that say the same to a person. Ages, memory and the wording of reasons (which hold
 * counts and times) move with every look and would make each of them a change.
 */
function changeMark(roll: Roll): string {
  const codes = (items: readonly { readonly code: string }[]) => items.map((item) => item.code).sort();
  const sessions = [...roll.sessions]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map((entry) => [
      ...[entry.key, entry.name, entry.activity, entry.waitingFor, entry.lifecycle, entry.retainedUntil],
      ...[entry.agent?.kind, entry.role, entry.task, entry.owner, entry.attached, entry.reasons[0]?.code],
      ...[entry.blockers.map(({ kind, code }) => `${kind} ${code}`).sort(), codes(entry.protections)],
    ]);
  const problems = roll.problems.map((problem) => `${problem.code} ${problem.socketPath ?? ''}`).sort();
  return JSON.stringify([sessions, problems, roll.servers.map((server) => server.socketPath).sort()]);
}
