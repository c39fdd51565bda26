import type { Look } from '../src/engine/look/look.ts';
import type { PrivateTmux } from './private-tmux.ts';
import type { Rival } from './rival.ts';
import type { Sample } from './sample.ts';
import { wait } from './until.ts';

const EVERY_MS = 300;

/** Looks at a lane again and again while it is driven. */
export interface Sampler {
  readonly samples: Sample[];
  /** Follows a session from now on, also when it is gone from the roll. */
  follow(session: string, rival: Rival): void;
  leave(session: string): void;
  stop(): Promise<void>;
}

export function startSampler(lane: string, look: Look, tmux: PrivateTmux): Sampler {
  const followed = new Map<string, Rival>();
  const samples: Sample[] = [];
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const startedAt = Date.now();
      const roll = await look();
      const endedAt = Date.now();
      await Promise.all(
        [...followed].map(async ([session, rival]) => {
          const entry = roll.sessions.find(({ name }) => name === session);
          const { screen, title } = await tmux.see(session);
          samples.push({
            lane,
            session,
            startedAt,
            endedAt,
            said: entry
              ? { activity: entry.activity, waitingFor: entry.waitingFor, lifecycle: entry.lifecycle }
              : null,
            reasons: entry?.reasons.map(({ code, source, text }) => ({ code, source, text })) ?? [],
            blockers: entry?.blockers.map(({ code }) => code) ?? [],
            word: entry?.evidence.filter(({ kind }) => kind.startsWith('agent')) ?? [],
            screen,
            title,
            rival: screen === '' ? null : rival(screen),
          });
        }),
      );
      await wait(Math.max(20, EVERY_MS - (Date.now() - startedAt)));
    }
  };
  const running = run();
  return {
    samples,
    follow: (session, rival) => void followed.set(session, rival),
    leave: (session) => void followed.delete(session),
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
