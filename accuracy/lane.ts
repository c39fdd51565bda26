import { composeLook } from '../src/compose/look/parts.ts';
import { defaultValues, toSettings } from '../src/config/settings.ts';
import { type Actor, createActor } from './actor.ts';
import type { Cast, Lane, Venue } from './cast.ts';
import { exitBy } from './exits.ts';
import { settle } from './habitat.ts';
import { installHooks } from './install-hooks.ts';
import { playPair } from './pair.ts';
import { type PrivateTmux, startTmux } from './private-tmux.ts';
import { type Judged, judge } from './sample.ts';
import { type Sampler, startSampler } from './sampler.ts';
import { idle, SCENES } from './scenes.ts';
import { startAgent } from './start-agent.ts';
import type { Mark } from './truth.ts';
import { hold } from './turns.ts';
import { NotReached } from './until.ts';

export interface LaneOutcome {
  readonly lane: Lane;
  readonly judged: readonly Judged[];
  readonly marks: readonly { readonly session: string; readonly marks: readonly Mark[] }[];
  readonly notReached: readonly NotReachedState[];
}

/** A state that could not be brought about, and what stood on the screens then. */
export interface NotReachedState {
  readonly state: string;
  readonly why: string;
  readonly screens: readonly string[];
}

/** Plays all states of a lane while rollcall looks on, and judges what it said. */
export async function playLane(lane: Lane, venue: Venue): Promise<LaneOutcome> {
  const { specimen, name } = lane;
  const dwelling = settle(name, specimen, lane.variant, venue.ground);
  const notReached: NotReachedState[] = [];
  const problem = lane.hasHooks ? installHooks(specimen.kind, dwelling) : null;
  if (problem !== null) {
    return { lane, judged: [], marks: [], notReached: [{ state: 'all', why: problem, screens: [] }] };
  }
  const tmux = startTmux(`${dwelling.folder}/t`, dwelling.env);
  venue.onEnd(() => tmux.stop());
  const look = composeLook({ env: dwelling.env, settings: hurriedSettings(), sockets: [tmux.socketPath] });
  const sampler = startSampler(name, look, tmux);
  const actors: Actor[] = [];
  const cast: Cast = {
    lane,
    venue,
    dwelling,
    tmux,
    props: { ...dwelling, holdMs: venue.holdMs },
    answered: new Set(),
    enter(session) {
      const actor = createActor(session, specimen, { tmux, log: venue.log });
      actors.push(actor);
      sampler.follow(session, venue.rivalFor(specimen.kind));
      return actor;
    },
    leave(actor) {
      sampler.leave(actor.session);
      end(tmux, actor);
    },
    async attempt(state, concerned, play) {
      const startedAt = Date.now();
      try {
        await play();
        venue.say(`${name}: ${state} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
        return true;
      } catch (error) {
        const why = error instanceof NotReached ? error.message : String(error);
        const screens = await Promise.all(concerned.map((actor) => actor.screen()));
        notReached.push({ state, why, screens });
        venue.say(`${name}: ${state} not reached: ${why}`);
        return false;
      }
    },
  };
  try {
    // Two first starts at once in one fresh home trip over each other's databases.
    let onUp = () => {};
    const isUp = new Promise<void>((resolve) => {
      onUp = resolve;
    });
    const aside = isUp.then(() => playAside(cast));
    const pair = isUp.then(() => (lane.isPair ? playPair(cast) : undefined));
    await playScenes(cast, onUp).finally(onUp);
    await Promise.all([aside, pair]);
  } finally {
    await sampler.stop();
    tmux.stop();
  }
  return {
    lane,
    notReached,
    judged: actors.flatMap((actor) => judge(samplesOf(sampler, actor), actor.timeline.marks())),
    marks: actors.map(({ session, timeline }) => ({ session, marks: timeline.marks() })),
  };
}

async function playScenes(cast: Cast, onUp: () => void): Promise<void> {
  const { lane, props, dwelling } = cast;
  if (lane.scenes.length === 0) return;
  let actor: Actor | null = null;
  let count = 0;
  for (const scene of lane.scenes) {
    if (!actor) {
      count += 1;
      const entering = cast.enter(`${lane.specimen.kind}-main-${count}`);
      const isUp = await cast.attempt('start', [entering], () =>
        startAgent(entering, cast, dwelling.work, idle('idle: fresh')),
      );
      if (!isUp) return;
      actor = entering;
      onUp();
    }
    const current: Actor = actor;
    const isPlayed = await cast.attempt(scene, [current], async () => SCENES[scene]?.(current, props));
    // After a scene that went astray nothing is known of the session: a new one takes over.
    if (!isPlayed) {
      cast.leave(current);
      actor = null;
    }
  }
  if (actor) cast.leave(actor);
}

// What ends a session, or never gets as far as a prompt, has one of its own.
async function playAside(cast: Cast): Promise<void> {
  const { lane, dwelling, tmux, props } = cast;
  for (const exit of lane.exits) {
    const actor = cast.enter(`${lane.specimen.kind}-${exit}`);
    await cast.attempt(`exit by ${exit}`, [actor], async () => {
      await startAgent(actor, cast, dwelling.work, idle('idle: fresh'));
      await exitBy(exit, actor, tmux, props.holdMs);
    });
    cast.leave(actor);
  }
  // Last: a client that has not been let in yet keeps Codex's conversations from being told apart.
  if (lane.hasTrust && lane.specimen.trust) {
    const { trust } = lane.specimen;
    const actor = cast.enter(`${lane.specimen.kind}-trust`);
    await cast.attempt('trust', [actor], async () => {
      await startAgent(actor, cast, dwelling.strange, null);
      await actor.reach(trust, 30_000);
      actor.mark({ state: 'waiting: trust', activity: 'waiting', waitingFor: 'trust', mayClose: false });
      await hold(props.holdMs);
    });
    cast.leave(actor);
  }
}

// Closing must be reachable within the few seconds that a state is held, or nothing would be tested by it.
function hurriedSettings() {
  const settings = toSettings(defaultValues());
  const policy = { ...settings.policy, idleAfterMs: 3000, exitedAfterMs: 3000, confirmMs: 2000 };
  return { ...settings, policy };
}

function samplesOf(sampler: Sampler, { session }: Actor) {
  return sampler.samples.filter((sample) => sample.session === session);
}

function end(tmux: PrivateTmux, { session }: Actor): void {
  try {
    tmux.run('kill-session', '-t', `=${session}`);
  } catch {
    // The scene ended it.
  }
}
