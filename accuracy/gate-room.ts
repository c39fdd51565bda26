import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Actor } from './actor.ts';
import { createActor } from './actor.ts';
import type { Venue } from './cast.ts';
import { launchAt } from './gate-launch.ts';
import type { Gated, GateScene } from './gate-report.ts';
import type { GateWords, Stop } from './gate-words.ts';
import { contractOf, stopsIn, wentOnIn } from './gate-words.ts';
import type { Dwelling } from './habitat.ts';
import { settle } from './habitat.ts';
import { installHooks } from './install-hooks.ts';
import {
  endMarkedProcesses,
  identityOf,
  isSameRunning,
  send,
  terminalProcessesBelow,
} from './marked-processes.ts';
import type { Rollcall } from './own-rollcall.ts';
import { rollcallIn } from './own-rollcall.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { startTmux } from './private-tmux.ts';
import type { Specimen, Variant } from './specimens/specimen.ts';
import { NotReached, until, wait } from './until.ts';

/** A turn that is over: how often the model was told to go on in it, and by how many requests it went. */
export interface Turn {
  readonly wentOn: number;
  readonly requests: number;
  /** How often a subagent of it was told to go on. */
  readonly subWentOn: number;
}

/** One home and one checkout with several agents, one of which owns a piece of work. */
export interface GateRoom {
  readonly specimen: Specimen;
  readonly variant: Variant;
  readonly venue: Venue;
  readonly dwelling: Dwelling;
  readonly tmux: PrivateTmux;
  readonly rollcall: Rollcall;
  /** The session whose agent owns the work. */
  readonly ownerName: string;
  /** A session with a shell in the checkout, and the agent started at its prompt. */
  enter(name: string): Promise<Actor>;
  /** Starts an agent at the shell of a session that is there. */
  launch(actor: Actor, command: string): Promise<void>;
  /** SIGKILL to the agent; its shell goes on. */
  kill(actor: Actor): Promise<void>;
  /** Gives an order and waits until the turn is over for good. */
  turn(actor: Actor, verb: string, argument?: string, quietMs?: number): Promise<Turn>;
  /** Waits for the end of a turn that somebody else began. */
  ended(tag: string, quietMs?: number): Promise<Turn>;
  /** The owner begins anew: nothing that an earlier piece of work left is there. */
  begin(reinforce: 3 | 10, check?: string, ...flags: string[]): Promise<GateWords>;
  /** The owner's piece of work as `rollcall gate status` tells it. */
  work(): Promise<GateWords>;
  /** What the ledger says was decided about stops, the newest last. */
  stops(): Promise<readonly Stop[]>;
  /** Changes the checkout, so that the next stop rests on other evidence. */
  freshen(): void;
  scene(name: string, play: () => Promise<string>): Promise<void>;
}

/** Who is there: the one whose work it is, and three more of its kind in the same checkout. */
export interface Cast {
  readonly owner: Actor;
  readonly others: readonly Actor[];
}

const WORKING = { state: 'working', activity: 'working', mayClose: false } as const;
/** A blocked stop takes the agent on within this: a gate that is asked has two seconds at most. */
const QUIET_MS = 3500;

/** Plays in a room of its own, and takes it down whatever happens. */
export async function inGateRoom(
  { title, name }: { readonly title: string; readonly name: string },
  {
    specimen,
    variant,
    venue,
    only,
  }: {
    readonly specimen: Specimen;
    readonly variant: Variant;
    readonly venue: Venue;
    readonly only: readonly string[] | null;
  },
  play: (room: GateRoom) => Promise<void>,
): Promise<Gated> {
  // A mark of its own within the run's: what ends here must not end what is played beside it.
  const nonce = `${venue.ground.nonce}.${name}.`;
  const dwelling = settle(name, specimen, variant, { ...venue.ground, nonce });
  const tmux = startTmux(`${dwelling.folder}/t`, dwelling.env);
  venue.onEnd(() => tmux.stop());
  const scenes: GateScene[] = [];
  const tell = (scene: GateScene) => {
    scenes.push(scene);
    venue.say(`${title}: ${scene.name}: ${scene.failure ?? scene.seen} (${scene.ms} ms)`);
  };
  const scene: GateRoom['scene'] = async (what, work) => {
    if (only !== null && !only.some((word) => what.includes(word))) return;
    const startedAt = Date.now();
    const done = (seen: string, failure: string | null) =>
      tell({ name: what, ms: Date.now() - startedAt, seen, failure });
    await work().then(
      (seen) => done(seen, null),
      (error) => done('', error instanceof Error ? error.message : String(error)),
    );
  };
  try {
    const problem = installHooks(specimen.kind, dwelling);
    if (problem !== null) throw new NotReached(problem);
    await play(openRoom({ specimen, variant, venue, dwelling, tmux, scene }));
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    tell({ name: 'everything', ms: 0, seen: '', failure });
  } finally {
    tmux.stop();
    await endMarkedProcesses(nonce);
  }
  return { title, scenes };
}

type Fixed = Pick<GateRoom, 'specimen' | 'variant' | 'venue' | 'dwelling' | 'tmux' | 'scene'>;

function openRoom(fixed: Fixed): GateRoom {
  const { specimen, variant, venue, dwelling, tmux } = fixed;
  const rollcall = rollcallIn(dwelling, { confirmFor: '2s' });
  // Nobody else on this machine has a session of this name.
  const ownerName = `${basename(dwelling.folder)}-${venue.ground.nonce.slice(0, 4)}`;
  let notes = 0;
  const work = async () => contractOf(await rollcall('gate', 'status', '--all', '--json'), ownerName);
  let isFirst = true;
  const launch = async (actor: Actor, command: string) => {
    await launchAt(actor, command, isFirst);
    isFirst = false;
  };
  const ended = async (tag: string, quietMs = QUIET_MS): Promise<Turn> => {
    const isOver = () => {
      const main = venue.log.of(tag).filter(({ role }) => role !== 'side');
      const last = Math.max(...main.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY));
      return main.at(-1)?.called === null && Date.now() - last > quietMs;
    };
    if (!(await until(isOver, 120_000))) throw new NotReached(`the turn of order ${tag} did not end`);
    return wentOnIn(venue.log.of(tag), tag);
  };
  const turn: GateRoom['turn'] = async (actor, verb, argument = '', quietMs = QUIET_MS) =>
    ended(await actor.order(verb, argument, WORKING), quietMs);
  return {
    ...fixed,
    ...{ rollcall, ownerName, work, launch, turn, ended },
    async enter(name) {
      const size = ['-x', '120', '-y', '40'];
      tmux.run('new-session', '-d', '-s', name, ...size, '-c', dwelling.work, SHELL);
      const actor = createActor(name, specimen, { tmux, log: venue.log });
      await launch(actor, specimen.command(variant));
      return actor;
    },
    async kill(actor) {
      const agent = terminalProcessesBelow(actor.panePid()).flatMap((pid) => identityOf(pid) ?? []);
      for (const one of agent) send(one, 'SIGKILL');
      if (!(await until(() => !agent.some(isSameRunning), 5000)))
        throw new NotReached('the agent outlived SIGKILL');
      await wait(1500);
      // It left the terminal as it had it.
      tmux.run('send-keys', '-t', `=${actor.session}:`, 'stty sane; reset; clear', 'Enter');
      await wait(1500);
    },
    async begin(reinforce, check = 'file:done.txt', ...flags) {
      const before = (await rollcall('gate', 'status', '--json')) as { contracts: readonly unknown[] };
      if (before.contracts.length > 0)
        await rollcall('gate', 'abandon', ownerName, '--reason', 'the next scene', '--json');
      rmSync(join(dwelling.work, 'done.txt'), { force: true });
      const words = ['--task', 'a scene', '--until', check, '--reinforce', String(reinforce)];
      const start = () => rollcall('gate', 'start', ownerName, ...words, ...flags, '--json');
      await start().catch(async (error) => {
        if (!String(error).includes('not known yet')) throw error;
        // After hooks that went astray its conversation is known again from its next turn on.
        await turn(createActor(ownerName, specimen, { tmux, log: venue.log }), 'done');
        await start();
      });
      return work();
    },
    async stops() {
      return stopsIn(await rollcall('log', '--json'));
    },
    freshen() {
      notes += 1;
      writeFileSync(join(dwelling.work, `note-${notes}.txt`), `${notes}\n`);
    },
  };
}

export const SHELL = 'exec bash --noprofile --norc -i';
