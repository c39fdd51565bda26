import type { SimSession } from '../machine/tmux-parts.ts';
import { isPlainlyIdle, Rest } from './at-rest.ts';
import { isUnderPressure } from './grace-and-budget.ts';
import type { Law } from './law.ts';

const HOUR = 3_600_000;
/** Beside its rest: the longest time for which one is set aside, being watched, and the close itself. */
const SLACK_MS = 5 * 60_000;

export const idleGoes: Law = {
  name: 'idle-goes',
  sentence:
    'while memory stays short, an agent that plainly rests and can be resumed goes in the end, as fast as the hour allows',
  watch(scene) {
    const { machine, deeds, settings, rounds, calmFromMs } = scene;
    const rest = new Rest();
    const isLong = (session: SimSession) => {
      const { idleAfterMs, confirmMs, graceMs } = settings.reaper;
      const needed = idleAfterMs + confirmMs + graceMs + SLACK_MS;
      return (
        machine.clock.ms - Math.max(calmFromMs() ?? machine.clock.ms, rest.sinceMs(scene, session)) > needed
      );
    };
    return {
      on(entry) {
        rest.on(entry);
        return null;
      },
      atEnd() {
        // What another install does is nothing that this one's sessions could go by.
        const reaper = [...rounds.values()].find(({ install }) => install === 'home')?.round.reaper;
        if (reaper?.mode !== 'enforce') return null;
        const left = machine.sessions().filter((one) => isPlainlyIdle(scene, one) && isLong(one));
        const [first] = left;
        if (first === undefined) return null;
        const lately = deeds.all.filter(
          (deed) => isUnderPressure(deed) && machine.clock.awakeMs - deed.awakeMs < HOUR,
        );
        if (lately.length >= settings.reaper.perHour) return null;
        const verdict = reaper.sessions.find(({ key }) => key === first.key);
        const why = verdict?.guard?.text ?? 'no guard keeps it';
        return `${first.label} rests under pressure and never goes (${why}); ${lately.length} went within the hour`;
      },
    };
  },
};
