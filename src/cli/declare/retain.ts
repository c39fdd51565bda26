import { parseDuration, spoken } from '../../core/text/duration.ts';
import { retain } from '../../operations/declare.ts';
import { Failure } from '../../operations/failure.ts';
import { atHere, ONE_SESSION_EXITS, say } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle, word } from '../frame/flags.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { parseDate } from '../log/since.ts';
import { localTime } from '../render/amounts.ts';
import { serverWords } from '../roll/take-roll.ts';

const LONGEST_MS = 3650 * 86_400_000;

export const retainCommand = defineCommand({
  name: 'retain',
  summary: 'Keep a session until a certain time.',
  usage: [
    'rollcall retain SESSION --for TIME [--reason TEXT] [flags]',
    'rollcall retain SESSION --until DATE [--reason TEXT] [flags]',
    'rollcall retain SESSION --release [flags]',
  ],
  description: [
    'Until then nothing closes the session by itself, whatever its work has come to. rollcall close with its name still does, and notes it in the receipt; rollcall hold keeps it from that too. A date follows the wall clock. A time counts while the machine is awake: neither a step of the clock nor sleep ends it sooner. Afterwards it is judged like any other. It works on any session, whoever started it, and belongs to this session alone. A later retain takes the place of an earlier one.',
  ],
  flags: {
    for: word('TIME', 'From now on for this long, such as 90m, 8h or 2d.'),
    until: word('DATE', 'Until then: 2026-03-01, 2026-03-01T14:30, in local time unless it names a zone.'),
    release: toggle('Keep it no longer.'),
    reason: word('TEXT', 'Why, for others to read.'),
  },
  positional: ONE_SESSION,
  examples: {
    "rollcall retain build --for 2d --reason 'demo on Friday'": 'two days',
    'rollcall retain build --until 2026-03-01T18:00': 'until a certain time',
    'rollcall retain build --release': 'no longer',
  },
  exits: {
    done: 'it is kept until then, or no longer',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [session = ''], surroundings }) => {
    const saidAt = surroundings.now();
    const { release, reason } = flags;
    const servers = serverWords(flags.server, surroundings);
    if (release && (flags.for ?? flags.until ?? reason) !== undefined) {
      throw usage('--release goes with no other flag of retain', 'give it alone');
    }
    const at = atHere(surroundings, flags);
    if (release) {
      const released = await retain({ session, servers, release }, at);
      return say(surroundings, flags, released, {
        released: 'no longer kept',
        'not-retained': 'was not kept',
      });
    }
    const until = untilOf(flags, saidAt);
    const time = `until ${localTime(until)} (${spoken(until - saidAt)})`;
    const keeping = flags.for === undefined ? { until } : { forMs: until - saidAt };
    const kept = await retain({ session, servers, reason, ...keeping }, at);
    return say(surroundings, flags, kept, {
      retained: `kept ${time}${reason === undefined ? '' : `: ${reason}`}`,
      'already-retained': `kept ${time} already`,
    });
  },
});

function untilOf(
  flags: { readonly for: string | undefined; readonly until: string | undefined },
  now: number,
): number {
  if ((flags.for === undefined) === (flags.until === undefined)) {
    throw usage('retain needs --for or --until', 'write --for 2d, --until 2026-03-01, or --release');
  }
  const until = flags.until === undefined ? after(flags.for ?? '', now) : parseDate(flags.until);
  const given = flags.until === undefined ? `--for=${flags.for}` : `--until=${flags.until}`;
  if (until === null)
    throw usage(`${given} is no time`, 'write --for 90m, 8h or 2d, or --until 2026-03-01T14:30');
  if (until <= now) throw usage(`${given} is over already`, 'to keep it no longer, write --release');
  if (until - now > LONGEST_MS) throw usage(`${given} is too far away`, 'ten years are the most');
  return until;
}

function after(text: string, now: number): number | null {
  const ms = parseDuration(text);
  return ms === null ? null : now + ms;
}

function usage(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}
