import { noteObject, toUpDocument } from '../../contract/daemon-documents.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { Round } from '../../core/supervision/round.ts';
import { visible } from '../../core/text/visible.ts';
import type { Desk } from '../../engine/daemon/desk.ts';
import { changeText } from '../../engine/daemon/note-round.ts';
import type { Look } from '../../engine/look/look.ts';
import { Failure } from '../../operations/failure.ts';
import type { DaemonNote } from '../../ports/daemon.ts';
import { ENDINGS, onInterrupt } from '../frame/interrupt.ts';
import { isColor } from '../frame/is-color.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { localTime } from '../render/amounts.ts';
import { serverWords } from '../roll/take-roll.ts';
import type { RollFeed } from '../watch/look-again.ts';
import { isFullScreen } from '../watch/watch.ts';
import type { Supervision } from './supervision.ts';
import { addressLines, tellRunning, type UpCall } from './up-call.ts';

const EVERYTHING = { words: [], servers: [], lifecycles: [], activities: [], agents: [] };

/** Supervises in this process until somebody ends it. Beside a running daemon there is only the roll to show. */
export async function runForeground(call: UpCall): Promise<number> {
  const { flags, surroundings } = call;
  const isScreen = isFullScreen(surroundings, flags.json);
  const begun = await surroundings.beginDaemon(
    serverWords(flags.server, surroundings),
    surroundings.protectNow,
  );
  if (begun.state === 'failed') throw new Failure('failed', begun.text, { hint: begun.hint });
  if (begun.state === 'already-running') {
    tellRunning(call, begun.seen);
    return isScreen ? showRoll(call, surroundings, null) : 0;
  }
  const { supervision } = begun;
  try {
    return isScreen ? await screen(call, supervision) : await lines(call, supervision);
  } finally {
    await supervision.stop();
  }
}

async function screen(call: UpCall, { desk, ready }: Supervision): Promise<number> {
  let reached: DaemonNote | null = null;
  const feed: RollFeed = {
    onRoll(listener) {
      const tell = (round: Round) => listener(round.roll, headline(round, reached));
      void ready.then(
        (note) => {
          reached = note;
          const last = desk.round();
          if (last !== null) tell(last);
        },
        () => {},
      );
      return desk.onRound(tell);
    },
  };
  return showRoll(call, { ...call.surroundings, look: fedLook(desk) }, feed);
}

async function showRoll(call: UpCall, surroundings: Surroundings, feed: RollFeed | null): Promise<number> {
  const { watch } = await import('../watch/watch.ts');
  return watch(surroundings, {
    everyMs: surroundings.settings.watch.everyMs,
    isJson: false,
    isColor: isColor(call.flags, surroundings),
    filter: EVERYTHING,
    ...(feed && { feed }),
  });
}

/** The line above the roll: that it supervises, how short memory is, what the reaper may do. */
function headline({ number, pressure, reaper }: Round, note: DaemonNote | null): string {
  const pending = reaper.pending === null ? '' : `, about to close ${reaper.pending.name}`;
  const held = reaper.mode === reaper.wanted ? '' : ` (breaker; ${reaper.wanted} was asked for)`;
  return visible(
    [
      `daemon, round ${number}`,
      `memory ${pressure.tier}`,
      `reaper ${reaper.mode}${held}${pending}`,
      ...(note?.url ? [note.url] : []),
    ].join(' · '),
  );
}

async function lines(call: UpCall, { desk, ready }: Supervision): Promise<number> {
  const { flags, surroundings } = call;
  const { stdout, stderr } = surroundings;
  const { ended, release } = onInterrupt(surroundings, ENDINGS);
  const stopTelling = flags.json ? () => {} : desk.onRound((round) => stdout.write(roundLines(round)));
  try {
    const first = await Promise.race([ended, ready]);
    if (first === 'ended') return 0;
    if (flags.json) writeJson(stdout, toUpDocument('started', noteObject(first), first));
    else stdout.write(`the daemon runs (pid ${first.pid})\n${addressLines(first)}`);
    for (const text of first.problems) stderr.write(`! ${visible(text)}\n`);
    await ended;
    return 0;
  } finally {
    stopTelling();
    release();
  }
}

function roundLines({ changes }: Round): string {
  return changes.map((change) => `${localTime(change.at)} ${visible(changeText(change))}\n`).join('');
}

/** A look through a daemon's eyes: it takes no second look at what the rounds see. */
function fedLook(desk: Desk): Look {
  let isFirst = true;
  return async ({ inspect } = {}) => {
    const last = desk.round();
    const [wanted] = inspect === undefined || last === null ? [] : inspect(last.roll.sessions);
    if (wanted !== undefined) {
      const only = (sessions: readonly SessionEntry[]) => sessions.filter(({ key }) => key === wanted.key);
      return desk.look({ inspect: only, isWithClosed: true });
    }
    // What was just seen will do to begin with; whoever asks again wants to know anew.
    const isEnough = isFirst && last !== null;
    isFirst = false;
    return isEnough ? last.roll : (await desk.lookNow()).roll;
  };
}
