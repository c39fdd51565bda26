import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ran } from '../../support/command.ts';
import { until } from '../../support/until.ts';
import { World } from '../world.ts';
import { equip, givenTo, workProgram } from './racing-agent.ts';

/** Where the preload lies, seen from the file that runs: the sources, or a bundle of them. */
const PAUSE = process.env.ROLLCALL_RACE_PRELOAD ?? fileURLToPath(new URL('./pause.cjs', import.meta.url));

interface Watch {
  /** Where it stops. */
  readonly address?: string;
  /** It waits for less long. */
  readonly isHurried?: boolean;
}

/** A run of the program that the preload watches. */
export interface Watched {
  readonly log: string;
  readonly ended: Promise<Ran>;
  /** The pid in its world, once it stands at the point; null where it ended before. */
  reached(): Promise<number | null>;
  goOn(): void;
}

/** A world with innocents in it, for several interleavings one after the other. */
export class Stage {
  readonly world: World;
  readonly bystanders = new Map<string, number>();
  #baseline = new Set<number>();
  #count = 0;

  private constructor(world: World) {
    this.world = world;
  }

  static async open(): Promise<Stage> {
    const stage = new Stage(await World.open());
    equip(stage.world);
    await stage.#invite();
    return stage;
  }

  close(): Promise<void> {
    return this.world.close();
  }

  next(): number {
    this.#count += 1;
    return this.#count;
  }

  async #invite(): Promise<void> {
    const { world, bystanders } = this;
    await world.sh(PROJECT);
    bystanders.set(
      'working session',
      (await this.session('bystander-works', ...this.work('bystander-works'))).pid,
    );
    bystanders.set(
      'idle agent',
      (await this.session('bystander-idle', ...world.agents.argv('bystander-idle', 'leaves'))).pid,
    );
    bystanders.set('shell of an attached person', (await world.session('bystander-person')).pid);
    await this.attach('=bystander-person');
    await world.sh(`nohup setsid ${workProgram(world)} bystander-job >/dev/null 2>&1 &`);
    bystanders.set(
      'detached job',
      (await until('the job runs', () => world.find('bystander-job')))?.pid ?? 0,
    );
    await world.agents.pid('bystander-idle');
    // It stays, as they do.
    await world.ask(['--version']);
    this.#baseline = new Set(world.processes().map(({ pid }) => pid));
  }

  /** Which of the innocents are not as they were. */
  async harmed(): Promise<string[]> {
    const names = await this.world.names();
    return [
      ...['bystander-works', 'bystander-idle', 'bystander-person'].filter((name) => !names.includes(name)),
      ...[...this.bystanders].filter(([, pid]) => !this.world.isAlive(pid)).map(([name]) => name),
      ...givenTo(this.world, 'bystander-idle').map((given) => `the idle agent was given ${given}`),
    ];
  }

  work(name: string): string[] {
    return [workProgram(this.world), name];
  }

  /** A detached session in a folder of git's. */
  async session(name: string, ...command: string[]) {
    return this.world.session(name, '-c', join(this.world.folder, 'home', 'project'), ...command);
  }

  /** Somebody at a terminal, who stays; `type` presses keys there. */
  async attach(target: string): Promise<{ type(keys: string): Promise<void> } | null> {
    const { world } = this;
    const keys = join(world.folder, `keys-${this.next()}`);
    await world.run(['mkfifo', keys]);
    const attached = () =>
      world.run(['tmux', 'display-message', '-p', '-t', `${target}:`, '#{session_attached}']);
    const argv = ['bash', '-c', `exec script -qec 'tmux -u attach -t "$TARGET"' /dev/null <> ${keys}`];
    const client = world.start(argv, { TARGET: target });
    const hasEnded = endOf(client);
    const seen = await until(
      `somebody is attached to ${target}`,
      async () => (hasEnded() ? null : Number((await attached()).stdout) > 0),
      (is) => is !== false,
    );
    if (seen === null) return null;
    return { type: async (text) => void (await world.sh(`printf '%s' "$KEYS" > ${keys}`, { KEYS: text })) };
  }

  /** Starts the program under watch. */
  watch(argv: readonly string[], log: string, { address = '', isHurried = false }: Watch = {}): Watched {
    for (const suffix of ['', '.reached', '.go']) rmSync(log + suffix, { force: true });
    let isOver = false;
    const ended = this.world
      .rollcall(argv, {
        NODE_OPTIONS: `--require ${PAUSE}`,
        ROLLCALL_RACE_LOG: log,
        ROLLCALL_RACE_STOP: address,
        ...(isHurried && { ROLLCALL_RACE_HURRY: '1' }),
      })
      .finally(() => {
        isOver = true;
      });
    return {
      log,
      ended,
      reached: async () => {
        const read = () => readOr(`${log}.reached`);
        const pid = await until(
          'it stops or ends',
          () => read() ?? (isOver ? 'ended' : ''),
          Boolean,
          60_000,
          5,
        );
        return pid === 'ended' ? null : Number(pid);
      },
      goOn: () => writeFileSync(`${log}.go`, ''),
    };
  }

  /** Ends everything that is not the innocents'. False where something is left: then another stage is needed. */
  async clear(): Promise<boolean> {
    const { world } = this;
    const names = (await world.names()).filter((name) => !name.startsWith('bystander-'));
    for (const name of names) await world.run(['tmux', 'kill-session', '-t', `=${name}`]);
    const others = () =>
      world.processes().filter(({ pid, state }) => state !== 'Z' && !this.#baseline.has(pid));
    const left = others().map(({ pid }) => String(pid));
    if (left.length > 0) await world.run(['sh', '-c', `kill -9 ${left.join(' ')} 2>/dev/null; true`]);
    return until('all others are gone', () => others().length === 0, Boolean, 3000).catch(() => false);
  }
}

const PROJECT = `git init -q --bare home/remote && git init -q -b main home/project && cd home/project &&
  git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first &&
  git remote add origin ../remote && git push -q -u origin main`;

function endOf(child: ChildProcess): () => boolean {
  let hasEnded = false;
  child.once('close', () => {
    hasEnded = true;
  });
  return () => hasEnded;
}

function readOr(path: string): string | null {
  try {
    return readFileSync(path, 'utf8') || null;
  } catch {
    return null;
  }
}
