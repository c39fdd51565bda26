import type { EventsWish } from '../../client/events.ts';
import { isGlob, matchesGlob } from '../../config/glob.ts';
import type { DaemonLine } from '../../contract/daemon-schemas.ts';
import { toDocument } from '../../contract/document.ts';
import type { ChangeDocument } from '../../contract/http/response-schemas.ts';
import { visible } from '../../core/text/visible.ts';
import { changeText } from '../../engine/daemon/note-round.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { ENDINGS, onInterrupt } from '../frame/interrupt.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { localTime } from '../render/amounts.ts';
import { PATTERNS } from '../roll/filter-flags.ts';

export const eventsCommand = defineCommand({
  name: 'events',
  summary: 'Tell what changes, as the daemon notices it.',
  usage: ['rollcall events [PATTERN…] [flags]'],
  description: [
    'Prints a line for every change, until Ctrl-C: sessions that come, go, begin to work, wait or rest, pressure that rises or falls, what the reaper and the settling of completed sessions do, and problems that begin and end. With --json one document per line, as GET /v1/events sends them.',
    'Needs a daemon (rollcall up). While it is restarted, events waits and goes on where it was. A daemon shows every two seconds that it is there; where nothing comes, events says within about a second since when and why, with --json as a line of its own (kind daemon, answering false), and says so too when it goes on.',
  ],
  positional: {
    ...PATTERNS,
    help: 'Only these sessions: a name or key, exact, or a pattern with * ? [abc].',
  },
  examples: {
    'rollcall events': 'everything, as it happens',
    "rollcall events 'fix-*'": 'of these sessions only',
    "rollcall events --json | jq -r 'select(.to.waitingFor) | .session.name'": 'who waits',
  },
  exits: {
    done: 'it was ended by Ctrl-C or a signal',
    failed: 'the daemon refused',
    usage: 'an unknown flag',
    'daemon-needed': 'no daemon runs',
  },
  run: async ({ flags, words, surroundings }) => {
    const { stdout, stderr, env } = surroundings;
    const { createClient, DaemonUnreachable, RollcallProblem, usualPlace } = await import(
      '../../client/index.ts'
    );
    const { signal, release } = onInterrupt(surroundings, ENDINGS);
    try {
      for await (const event of createClient(usualPlace(env)).events({
        signal,
        onSilence: silenceTeller(surroundings, flags.json),
      })) {
        const { data } = event;
        if (!('kind' in data)) {
          if (event.kind === 'reset') stderr.write(MISSED);
        } else if (isWanted(data, words)) {
          if (flags.json) writeJson(stdout, data);
          else stdout.write(`${localTime(data.at)} ${visible(changeText(data))}\n`);
        }
      }
      return 0;
    } catch (error) {
      if (error instanceof DaemonUnreachable) {
        throw new Failure('daemon-needed', 'no daemon runs, or it does not answer', {
          details: [error.message],
          hint: 'start one: rollcall up; where one runs, rollcall status says what keeps it',
        });
      }
      if (error instanceof RollcallProblem)
        throw new Failure('failed', error.message, { hint: error.hint ?? undefined });
      throw error;
    } finally {
      release();
    }
  },
});

const MISSED = 'rollcall: some events were missed; rollcall shows how things stand\n';

// What concerns no session concerns everybody.
function isWanted(change: ChangeDocument, words: readonly string[]): boolean {
  const session =
    change.kind === 'session' ? change.session : 'event' in change ? change.event.session : null;
  if (words.length === 0 || session === null) return true;
  return words.some((word) =>
    isGlob(word) ? matchesGlob(word, session.name) : word === session.name || word === session.key,
  );
}

type Teller = NonNullable<EventsWish['onSilence']>;

/** Tells that a stream fell silent and why, and that it goes on: on stderr, and as a line for programs. */
function silenceTeller(
  surroundings: Pick<Surroundings, 'stdout' | 'stderr' | 'now' | 'daemonControl'>,
  isJson: boolean,
): Teller {
  const { stdout, stderr, now } = surroundings;
  let since = 0;
  // One after the other: that it goes on is never told before that it does not.
  let telling = Promise.resolve();
  const tell = (answering: boolean, { text, hint }: Pick<DaemonLine, 'text' | 'hint'>) => {
    const line: DaemonLine = toDocument({ kind: 'daemon', at: now(), answering, since, text, hint });
    if (isJson) writeJson(stdout, line);
    stderr.write(`rollcall: ${visible(text)}${hint === null ? '' : `; ${visible(hint)}`}\n`);
  };
  return (silence) => {
    since = silence?.since ?? since;
    telling = telling.then(async () => {
      if (silence === null) tell(true, { text: 'the daemon answers again', hint: null });
      else tell(false, await reasonOf(silence.since, surroundings));
    });
  };
}

async function reasonOf(
  since: number,
  { daemonControl }: Pick<Surroundings, 'daemonControl'>,
): Promise<Pick<DaemonLine, 'text' | 'hint'>> {
  const from = `not answering since ${localTime(since)}`;
  try {
    const control = await daemonControl();
    const seen = control.see();
    if (seen.state === 'absent') return { text: `the daemon is ${from}: none runs`, hint: 'rollcall up' };
    if (seen.state === 'unknown') return { text: `the daemon is ${from}: ${seen.text}`, hint: seen.hint };
    const answer = await control.answer(seen);
    const why = answer === null ? 'it is not ready yet' : answer.text;
    return { text: `the daemon (pid ${seen.pid}) is ${from}: ${why}`, hint: answer?.hint ?? null };
  } catch (error) {
    return { text: `the daemon is ${from}: ${(error as Error).message}`, hint: null };
  }
}
