import { until } from '../../support/until.ts';
import type { SeenEntry } from '../world.ts';
import { givenTo } from './racing-agent.ts';
import type { Stage } from './stage.ts';

/** A session that is about to be closed. */
export interface Subject {
  readonly name: string;
  readonly sessionId: string;
  readonly paneId: string;
  /** The pane's own process. */
  readonly panePid: number;
  /** Null where no agent is left. */
  readonly agentPid: number | null;
  /** Everything that the close may end. */
  readonly own: readonly number[];
  /** What it must not end whatever happens, since it is another session's too. */
  readonly kept: readonly number[];
}

/** A session of one kind, and the command that closes it. */
export interface Scene {
  readonly name: string;
  readonly text: string;
  set(stage: Stage, name: string): Promise<Subject>;
  argv(name: string): string[];
  /** Its agent does not leave when it is asked to, and is waited for less long. */
  readonly isHurried?: boolean;
  /** Which part of the points is enough, because it takes long. */
  readonly part?: number;
  /** Its only signal goes to what it leaves behind. */
  readonly isSwept?: boolean;
}

const close = (name: string) => ['close', name, '--timeout', '40s', '--reason', 'race'];
const force = (name: string) => [...close(name), '--force'];

/** Every rung of a close is climbed in one of them. */
export const SCENES: readonly Scene[] = [
  {
    name: 'leaves',
    text: 'an agent that leaves at /exit, and its session with it',
    set: (stage, name) => agent(stage, name, 'leaves'),
    argv: close,
  },
  {
    name: 'shell',
    text: 'an agent that leaves at /exit, with a shell behind it',
    set: (stage, name) => agent(stage, name, 'leaves', { shell: true }),
    argv: close,
  },
  {
    name: 'stays',
    text: 'an agent that answers "Done." and stays until SIGTERM',
    set: (stage, name) => agent(stage, name, 'done'),
    argv: close,
    isHurried: true,
  },
  {
    name: 'dead-pane',
    text: 'an agent that leaves a dead pane (remain-on-exit)',
    set: async (stage, name) => {
      const subject = await agent(stage, name, 'leaves');
      await stage.world.tmux('set-option', '-w', '-t', subject.paneId, 'remain-on-exit', 'on');
      return subject;
    },
    argv: close,
  },
  {
    name: 'prompt',
    text: 'a shell at its prompt that an agent left behind',
    set: async (stage, name) => {
      const subject = await agent(stage, name, 'leaves', { shell: true });
      await stage.world.tmux('send-keys', '-t', subject.paneId, '/exit', 'Enter');
      await until('the agent has left', () => !stage.world.isAlive(subject.agentPid ?? 0));
      await until('it is left over', () => stage.world.entry(name), isClosable, 10_000, 300);
      return { ...subject, agentPid: null };
    },
    argv: close,
  },
  {
    name: 'deaf',
    text: 'an agent that ignores /exit and SIGTERM, with --force',
    set: (stage, name) => agent(stage, name, 'done+deaf'),
    argv: force,
    isHurried: true,
  },
  {
    name: 'child',
    text: 'an agent that leaves a child of its own session behind',
    set: (stage, name) => agent(stage, name, 'leaves+child'),
    argv: force,
    isSwept: true,
  },
  {
    name: 'due',
    text: 'close --due, with an agent under care',
    set: async (stage, name) => {
      const subject = await agent(stage, name, 'leaves', { shell: true });
      await must(stage, ['adopt', name]);
      // Seen at rest once more, as a cron job would have.
      await until('it is due', () => stage.world.entry(name), isClosable, 10_000, 300);
      return subject;
    },
    argv: () => ['close', '--due', '--timeout', '40s'],
  },
  {
    name: 'grouped',
    text: 'a session whose windows are another one’s too, with --force',
    set: async (stage, name) => {
      const subject = await agent(stage, name, 'leaves');
      await stage.world.tmux('new-session', '-d', '-t', `=${name}`, '-s', `${name}-too`);
      // That nobody was attached to any of them has to be seen for a while.
      const isAlone = ({ protections }: SeenEntry) =>
        protections.every(({ code }) => code !== 'recent-input');
      await until('nobody is there', () => stage.world.entry(name), isAlone, 40_000, 2500);
      return { ...subject, own: [], kept: subject.own };
    },
    argv: force,
    part: 0.4,
  },
];

const isClosable = ({ lifecycle }: SeenEntry) => lifecycle === 'safe-to-close';

async function agent(
  stage: Stage,
  name: string,
  manner: string,
  { shell = false }: { readonly shell?: boolean } = {},
): Promise<Subject> {
  const { world } = stage;
  const argv = world.agents.argv(name, manner);
  const command = shell ? ['sh', '-c', `${argv.join(' ')}; PS1='$ ' exec bash --norc --noprofile -i`] : argv;
  const { sessionId, paneId, pid } = await stage.session(name, ...command);
  const agentPid = await world.agents.pid(name);
  if (givenTo(world, name).length > 0) throw new Error(`${name} was disturbed`);
  await must(stage, ['complete', name, '--outcome', 'done']);
  const children = world.processes().filter(({ ppid }) => ppid === agentPid || ppid === pid);
  const own = [...new Set([pid, agentPid, ...children.map((one) => one.pid)])];
  return { name, sessionId, paneId, panePid: pid, agentPid, own, kept: [] };
}

async function must(stage: Stage, argv: string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await stage.world.ask(argv);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
}
