import type { Venue } from './cast.ts';
import { settle } from './habitat.ts';
import type { AgentKind } from './install.ts';
import { installHooks } from './install-hooks.ts';
import { playKilled, playOwnEnd } from './life-ends.ts';
import { playForgotten } from './life-forgotten.ts';
import { playRestored } from './life-restored.ts';
import { playRetained } from './life-retained.ts';
import { playReturn } from './life-returns.ts';
import type { LifeRoom, LifeStep } from './life-room.ts';
import { openLifeRoom } from './life-room.ts';
import { playSettled } from './life-settles.ts';
import { playSleep } from './life-sleeps.ts';
import { endMarkedProcesses } from './marked-processes.ts';
import { startTmux } from './private-tmux.ts';
import type { Specimen } from './specimens/specimen.ts';
import { NotReached } from './until.ts';

/** One story of a life. */
export interface Told {
  readonly title: string;
  readonly steps: readonly LifeStep[];
  /** What ended it too early; null when all of it was seen. */
  readonly failure: string | null;
}

export interface Life {
  readonly kind: AgentKind;
  readonly stories: readonly Told[];
}

const STORIES: readonly { readonly title: string; readonly play: (room: LifeRoom) => Promise<void> }[] = [
  { title: 'ends by itself', play: playOwnEnd },
  { title: 'is killed', play: playKilled },
  { title: 'is retained', play: playRetained },
  { title: 'closes by itself', play: playSettled },
  { title: 'returns whole', play: playReturn },
  { title: 'is forgotten by its agent', play: playForgotten },
  { title: 'sleeps and wakes', play: playSleep },
  // Last: it ends the tmux server that all of them share.
  { title: 'is restored', play: playRestored },
];

/** Every story of a real agent's life, through the commands that a person has. */
export async function playLife(
  specimen: Specimen,
  venue: Venue,
  only: readonly string[] | null,
): Promise<Life> {
  const { kind } = specimen;
  // A mark of its own within the run's: what ends here must not end what is played beside it.
  const nonce = `${venue.ground.nonce}.${kind}.`;
  const dwelling = settle(`life-${kind}`, specimen, {}, { ...venue.ground, nonce });
  const tmux = startTmux(`${dwelling.folder}/t`, dwelling.env);
  venue.onEnd(() => tmux.stop());
  const home = { dwelling, tmux, answered: new Set<RegExp>() };
  const stories: Told[] = [];
  try {
    const problem = installHooks(kind, dwelling);
    if (problem !== null) throw new NotReached(problem);
    for (const { title, play } of STORIES) {
      if (only !== null && !only.some((word) => title.includes(word))) continue;
      const steps: LifeStep[] = [];
      const tell = (step: LifeStep) => {
        steps.push(step);
        venue.say(`${kind} ${title}: ${step.name}: ${step.seen} (${step.ms} ms)`);
      };
      const failure = await play(openLifeRoom(specimen, venue, home, tell)).then(
        () => null,
        (error) => (error instanceof Error ? error.message : String(error)),
      );
      if (failure !== null) venue.say(`${kind} ${title}: ${failure}`);
      stories.push({ title, steps, failure });
    }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    stories.push({ title: 'everything', steps: [], failure });
  } finally {
    tmux.stop();
    await endMarkedProcesses(nonce);
  }
  return { kind, stories };
}
