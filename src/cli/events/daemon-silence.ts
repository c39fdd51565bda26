import type { EventsWish } from '../../client/events.ts';
import type { DaemonLine } from '../../contract/daemon-schemas.ts';
import { toDocument } from '../../contract/document.ts';
import { visible } from '../../core/text/visible.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { localTime } from '../render/amounts.ts';

type Teller = NonNullable<EventsWish['onSilence']>;

/** Tells that a stream fell silent and why, and that it goes on: on stderr, and as a line for programs. */
export function silenceTeller(
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
