import { type HookMeaning, type HookMemory, rememberEvent } from '../../../src/core/agent/hook-memory.ts';
import type { HookLog } from '../../../src/ports/hook-log.ts';
import type { Install } from '../machine/install.ts';
import type { Seat } from './seat.ts';

const answers = new WeakMap<Install, Map<string, readonly HookMemory[]>>();

/** What the hooks have told an install: every process takes in what is new, and keeps it for all. */
export function hookLog(seat: Seat): HookLog {
  const { install } = seat;
  return {
    about(agentKind) {
      seat.step();
      if (seat.fault('hooks') !== null || install.spool.problem !== null) return [];
      if (install.spool.events.length > 0) takeIn(install);
      const known = answers.get(install) ?? new Map<string, readonly HookMemory[]>();
      answers.set(install, known);
      const answer = known.get(agentKind) ?? newestFirst(install, agentKind);
      known.set(agentKind, answer);
      return answer;
    },
    unheard() {
      const isBlind = seat.fault('hooks') !== null || install.spool.problem !== null;
      return isBlind ? [{ text: 'the hooks’ spool is not read', of: 'anyone' }] : install.spool.unheard;
    },
    problem: () => (seat.fault('hooks') === null ? install.spool.problem : 'the hooks’ spool cannot be read'),
  };
}

// In the order of their times, as the names of the files of a spool have them.
function takeIn(install: Install): void {
  const { heard, spool } = install;
  for (const event of spool.events.splice(0).sort((one, other) => one.at - other.at)) {
    const meaning = event.payload as unknown as HookMeaning;
    const key = `${event.agentKind} ${meaning.conversation}`;
    const before = heard.get(key);
    const isOld = before !== undefined && before.last.at > event.at;
    if (!isOld) heard.set(key, rememberEvent(before, event, meaning));
  }
  answers.delete(install);
}

function newestFirst({ heard }: Install, agentKind: string): readonly HookMemory[] {
  return [...heard.values()]
    .filter((memory) => memory.agentKind === agentKind)
    .sort((one, other) => other.last.at - one.last.at);
}
