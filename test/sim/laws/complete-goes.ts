import { acceptedCompletion, declaredOf } from '../../../src/core/verdict/declared.ts';
import { isPlainlyIdle, Rest } from './at-rest.ts';
import type { Law } from './law.ts';

export const completeGoes: Law = {
  name: 'complete-goes',
  sentence:
    'what plainly rests, was declared complete and has nothing left to save goes once its time is over',
  watch(scene) {
    const { machine, kept, settings, rounds, visits } = scene;
    const rest = new Rest();
    const saidAt = new Map<number, number>();
    return {
      on(entry) {
        rest.on(entry);
        if (entry.what === 'recorded' && entry.install === 'home') saidAt.set(entry.sequence, entry.at);
        return null;
      },
      atEnd() {
        const round = [...rounds.values()].find(({ install }) => install === 'home')?.round;
        if (settings.daemon.settle !== 'on' || round === undefined) return null;
        for (const session of machine.sessions()) {
          const facts = kept.facts('home', session.key);
          const accepted = facts && acceptedCompletion(declaredOf(facts));
          if (!accepted || !isPlainlyIdle(scene, session)) continue;
          const saidMs = saidAt.get(facts.completion?.sequence ?? 0) ?? machine.clock.ms;
          const isOver =
            machine.clock.ms - saidMs > settings.defaultRole.retainForMs + settings.policy.idleAfterMs;
          const isSpoken =
            rest.sinceMs(scene, session) < saidMs && visits.awayMs(session.key) > machine.clock.ms - saidMs;
          const { cwd } = session.current.active.process;
          const git = machine.git.at(cwd);
          const isClean =
            git.state === 'none' ||
            (git.state === 'repository' && !git.dirtyFiles && !git.unpushedCommits && !git.stashes);
          if (!isOver || !isSpoken || !isClean) continue;
          const entry = round.roll.sessions.find(({ key }) => key === session.key);
          const why = [
            ...(entry?.reasons.slice(0, 1) ?? []),
            ...(entry?.blockers ?? []),
            ...(entry?.protections ?? []),
          ];
          return `${session.label} was declared complete and never goes (${why.map(({ text }) => text).join('; ')})`;
        }
        return null;
      },
    };
  },
};
