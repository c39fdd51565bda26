import type { SessionEntry } from '../../core/roll.ts';
import type { Desk } from '../../engine/daemon/desk.ts';
import type { Look } from '../../engine/look.ts';

/** A look through a daemon's eyes: it takes no second look at what the rounds see. */
export function fedLook(desk: Desk): Look {
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
