import { isGlob, matchesGlob } from '../../config/glob.ts';
import type { ChangeDocument } from '../../contract/http/response-schemas.ts';
import { visible } from '../../core/text/visible.ts';
import { changeText } from '../../engine/daemon/note-round.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { writeJson } from '../frame/write-json.ts';
import { localTime } from '../render/amounts.ts';
import { endSignals } from '../watch/end-signals.ts';
import { silenceTeller } from './daemon-silence.ts';

export const eventsCommand = defineCommand({
  name: 'events',
  summary: 'Tell what changes, as the daemon notices it.',
  usage: ['rollcall events [PATTERN…] [flags]'],
  description: [
    'Prints a line for every change, until Ctrl-C: sessions that come, go, begin to work, wait or rest, pressure that rises or falls, what the reaper and the settling of completed sessions do, and problems that begin and end. With --json one document per line, as GET /v1/events sends them.',
    'Needs a daemon (rollcall up). While it is restarted, events waits and goes on where it was. A daemon shows every two seconds that it is there; where nothing comes, events says within about a second since when and why, with --json as a line of its own (kind daemon, answering false), and says so too when it goes on.',
  ],
  positional: {
    placeholder: 'PATTERN',
    kind: 'session',
    min: 0,
    max: Number.POSITIVE_INFINITY,
    help: 'Only these sessions: a name or key, exact, or a pattern with * ? [abc].',
  },
  examples: [
    { command: 'rollcall events', what: 'everything, as it happens' },
    { command: "rollcall events 'fix-*'", what: 'of these sessions only' },
    {
      command: "rollcall events --json | jq -r 'select(.to.waitingFor) | .session.name'",
      what: 'who waits for me',
    },
  ],
  exits: [
    { name: 'done', when: 'it was ended by Ctrl-C or a signal' },
    { name: 'failed', when: 'the daemon refused' },
    { name: 'usage', when: 'an unknown flag' },
    { name: 'daemon-needed', when: 'no daemon runs' },
  ],
  run: async ({ flags, words, surroundings }) => {
    const { stdout, stderr, env } = surroundings;
    const { createClient, DaemonUnreachable, RollcallProblem, usualPlace } = await import(
      '../../client/index.ts'
    );
    const ending = new AbortController();
    const { ended, release } = endSignals(surroundings);
    void ended.then(() => ending.abort());
    try {
      for await (const event of createClient(usualPlace(env)).events({
        signal: ending.signal,
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
