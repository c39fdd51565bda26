import { visible } from '../../core/text/visible.ts';
import { WAIT_STATES } from '../../core/verdict/wait-state.ts';
import type { LookOptions } from '../../engine/look/look.ts';
import type { Awaited } from '../../engine/wait.ts';
import { Failure } from '../../operations/failure.ts';
import { standing, waitFor } from '../../operations/wait.ts';
import { defineCommand } from '../frame/command.ts';
import { choices, toggle, word } from '../frame/flags.ts';
import { onInterrupt } from '../frame/interrupt.ts';
import { SESSIONS } from '../frame/session-words.ts';
import { writeJson } from '../frame/write-json.ts';
import { looker, serverWords } from '../roll/take-roll.ts';
import { readDuration } from './wait-duration.ts';

const TIMEOUT = { min: 1, max: 30 * 86_400_000 };

export const waitCommand = defineCommand({
  name: 'wait',
  summary: 'Wait until sessions have reached a state.',
  usage: ['rollcall wait SESSION… --until STATE[,STATE…] [flags]'],
  description: [
    'Looks again several times a second and ends as soon as the sessions are in one of the states: an activity (what a session is doing) or a lifecycle state (what may be done with it). Prints one line for each session that got there; on a terminal also, on stderr, what they do meanwhile.',
    'A name is resolved once, exactly, and the session is followed by its identity from then on: it may be renamed, and another session that is made under its name is not it. What a session has reached stays reached. A session that is gone has reached exited, and closed, stale or lost: closed when it was closed or has finished, stale when its program ended otherwise. A server that gives no answer tells nothing.',
  ],
  flags: {
    until: choices('STATE', WAIT_STATES, 'The states to wait for; needed. May be repeated, or a comma list.'),
    all: toggle('Until every session has reached one of the states. The default.'),
    any: toggle('Until one of the sessions has.'),
    timeout: word('TIME', 'Give up after this time, such as 90s or 10m.', {
      default: 'none: as long as it takes',
    }),
  },
  positional: SESSIONS,
  examples: {
    'rollcall wait build --until idle,waiting': 'until its turn is over, or it needs somebody',
    'rollcall wait build --until exited --timeout 10m': 'until the agent is gone, at most ten minutes',
    'rollcall wait a b c --until idle --any': 'until the first of three is idle',
    'rollcall wait build --until safe-to-close,stale --json': 'for programs',
  },
  exits: {
    done: 'the states were reached',
    failed: 'a session is gone and neither exited nor lost was waited for, or tmux is not installed',
    usage: 'no session, no --until, an unknown state or flag, or a broken config file',
    'not-found': 'a session that does not exist at the start',
    ambiguous: 'several sessions have this name; they are listed',
    'timed-out': 'the time is up; where each session stands is listed',
  },
  run: async ({ flags, words, surroundings }) => {
    const { stdout, stderr } = surroundings;
    if (flags.until.length === 0) {
      throw new Failure('usage', 'wait needs --until', { hint: `the states are ${WAIT_STATES.join(', ')}` });
    }
    if (flags.any && flags.all)
      throw new Failure('usage', '--any and --all exclude each other', { hint: 'give one' });
    const timeoutMs = flags.timeout === undefined ? null : readDuration('timeout', flags.timeout, TIMEOUT);
    const looks = looker(surroundings, flags, { isWithClosed: true });
    const interrupt = onInterrupt(surroundings);
    const wish = { sessions: words, servers: flags.server, until: flags.until, any: flags.any };
    try {
      const at = {
        ...{ now: surroundings.now, signal: interrupt.signal },
        socketOf: (word = 'default') => serverWords([word], surroundings)[0] ?? word,
        look: ({ servers = [] }: LookOptions = {}) => looks(servers),
      };
      const waited = await waitFor({ ...wish, ...(timeoutMs !== null && { timeoutMs }) }, at, {
        onReached: (one) => {
          if (!flags.json) stdout.write(`${visible(reachedLine(one))}\n`);
        },
        onProgress: (one) => {
          if (stderr.isTTY) stderr.write(`${visible(standing(one, surroundings.now()))}\n`);
        },
        onUnseen: (text) => stderr.write(`! could not look: ${visible(text)}\n`),
      });
      if (flags.json) writeJson(stdout, waited);
      return 0;
    } catch (error) {
      if (interrupt.signal.aborted) return interrupt.exitCode();
      throw error;
    } finally {
      interrupt.release();
    }
  },
});

function reachedLine({ name, reached, isGone }: Awaited): string {
  return isGone ? `${name}: ${reached} (the session is gone)` : `${name}: ${reached}`;
}
