import { until } from '../../support/until.ts';
import { type Claim, NOTHING } from './claim.ts';
import {
  elsewhere,
  inWindows,
  isAgentGone,
  keep,
  livingOf,
  type Moment,
  seen,
  stands,
  untouchable,
  working,
} from './moment.ts';
import { workProgram } from './racing-agent.ts';

/** Something that a person, an agent or the machine does while the program stands still. */
export interface Intervention {
  readonly name: string;
  readonly text: string;
  act(moment: Moment): Promise<Claim>;
}

const DRAFT = 'my own words';

/** Everything that may come between two steps. */
export const INTERVENTIONS: readonly Intervention[] = [
  {
    name: 'watch',
    text: 'a person attaches and reads',
    act: async (moment) => {
      const { stage, subject } = moment;
      if ((await stage.attach(subject.sessionId)) === null) return elsewhere(moment);
      return untouchable(moment);
    },
  },
  {
    name: 'attach',
    text: 'a person attaches and starts work in it',
    act: async (moment) => {
      const { stage, subject } = moment;
      const person = await stage.attach(subject.sessionId);
      if (person === null) return elsewhere(moment);
      const name = `work-${stage.next()}`;
      await person.type(`${workProgram(stage.world)} ${name}\r`);
      const claim = await working(moment, name);
      // Also where nobody took the keys, the person is there.
      return claim.isUntouchable ? claim : { ...untouchable(moment), note: claim.note };
    },
  },
  {
    name: 'attach-group',
    text: 'a person attaches to a new session of its group',
    act: async (moment) => {
      const { stage, subject } = moment;
      const name = `group-${stage.next()}`;
      // tmux makes a group of one where there is no such session.
      if (!(await stands(moment))) return elsewhere(moment);
      const made = await stage.world.run(['tmux', 'new-session', '-d', '-t', subject.sessionId, '-s', name]);
      if (made.exitCode !== 0 || (await stage.attach(`=${name}`)) === null) return elsewhere(moment);
      const id = await stage.world.tmux('display-message', '-p', '-t', `=${name}:`, '#{session_id}');
      // Its windows live on in the other session when this one goes.
      return {
        ...NOTHING,
        isUntouchable: true,
        mayBeRemoved: true,
        lives: livingOf(moment),
        stands: [id],
      };
    },
  },
  {
    name: 'draft',
    text: 'somebody types words at the prompt and does not send them',
    act: async (moment) => {
      const { stage, subject } = moment;
      const isShell = isAgentGone(moment);
      const typed = await stage.world.run(['tmux', 'send-keys', '-t', subject.paneId, '-l', DRAFT]);
      if (typed.exitCode !== 0) return elsewhere(moment);
      if (!isShell) await stage.world.agents.say(subject.name, 'idle', 'draft');
      const isShown = await seen(moment, (screen) => screen.includes(DRAFT));
      return isShown
        ? { ...inWindows(moment, untouchable(moment)), draft: DRAFT }
        : { ...NOTHING, note: 'nobody took the words' };
    },
  },
  {
    name: 'command',
    text: 'somebody starts work at the prompt without attaching',
    act: async (moment) => {
      const { stage, subject } = moment;
      const name = `work-${stage.next()}`;
      const line = `${workProgram(stage.world)} ${name}`;
      const typed = await stage.world.run(['tmux', 'send-keys', '-t', subject.paneId, line, 'Enter']);
      return typed.exitCode === 0 ? inWindows(moment, await working(moment, name)) : elsewhere(moment);
    },
  },
  {
    name: 'copy-mode',
    text: 'copy mode is entered',
    act: async (moment) => {
      const { stage, subject } = moment;
      const entered = await stage.world.run(['tmux', 'copy-mode', '-t', subject.paneId]);
      return entered.exitCode === 0 ? inWindows(moment, untouchable(moment)) : elsewhere(moment);
    },
  },
  {
    name: 'hold',
    text: 'rollcall hold',
    act: (moment) => keep(moment, ['hold', moment.subject.sessionId]),
  },
  {
    name: 'retain',
    text: 'rollcall retain --for 1h',
    act: (moment) => keep(moment, ['retain', moment.subject.sessionId, '--for', '1h']),
  },
  {
    name: 'rename',
    text: 'it is renamed, and another session takes its name',
    act: async (moment) => {
      const { stage, subject } = moment;
      const away = `away-${stage.next()}`;
      await stage.world.run(['tmux', 'rename-session', '-t', subject.sessionId, away]);
      return elsewhere(moment, 'another session has its name');
    },
  },
  {
    name: 'move',
    text: 'its pane is moved into another session',
    act: async (moment) => {
      const { stage, subject } = moment;
      const other = await stage.session(`other-${stage.next()}`, ...stage.work('other-work'));
      const moved = await stage.world.run([
        'tmux',
        'join-pane',
        '-d',
        '-s',
        subject.paneId,
        '-t',
        other.paneId,
      ]);
      const lives = new Map([
        ['the work it was moved to', other.pid],
        ...(moved.exitCode === 0 ? livingOf(moment) : []),
      ]);
      // Nothing but the moved pane is left to be touched.
      return {
        ...NOTHING,
        isUntouchable: moved.exitCode === 0,
        lives,
        stands: [other.sessionId],
        isEndedByPerson: true,
      };
    },
  },
  {
    name: 'split',
    text: 'a pane with work in it is added',
    act: async (moment) => {
      const { stage, subject } = moment;
      const where = ['-d', '-P', '-F', '#{pane_pid}', '-t', `${subject.sessionId}:`];
      const split = await stage.world.run(['tmux', 'split-window', ...where, ...stage.work('split-work')]);
      if (split.exitCode !== 0) return elsewhere(moment);
      const lives = new Map([['the work in the new pane', Number(split.stdout)]]);
      return inWindows(moment, { ...NOTHING, lives, stands: [subject.sessionId] });
    },
  },
  {
    name: 'turn',
    text: 'a turn of its agent begins',
    act: async (moment) => {
      const { stage, subject } = moment;
      if (isAgentGone(moment)) return elsewhere(moment);
      await stage.world.run(['kill', '-USR1', String(subject.agentPid)]);
      const begins = await seen(moment, (screen) => screen.includes('Working'));
      return begins ? inWindows(moment, untouchable(moment)) : elsewhere(moment);
    },
  },
  {
    name: 'replace',
    text: 'another program takes its place in the pane (respawn-pane -k)',
    act: async (moment) => {
      const { stage, subject } = moment;
      const argv = ['respawn-pane', '-k', '-t', subject.paneId, ...stage.work('new-work')];
      if ((await stage.world.run(['tmux', ...argv])).exitCode !== 0) return elsewhere(moment);
      const pid = Number(
        await stage.world.tmux('display-message', '-p', '-t', subject.paneId, '#{pane_pid}'),
      );
      const lives = new Map([['the new program', pid]]);
      return inWindows(moment, { ...untouchable(moment), lives, isReplaced: true });
    },
  },
  {
    name: 'twin',
    text: 'the person kills it and makes another one of the same name',
    act: async (moment) => {
      await moment.stage.world.run(['tmux', 'kill-session', '-t', moment.subject.sessionId]);
      return { ...(await elsewhere(moment)), isEndedByPerson: true, note: undefined };
    },
  },
  {
    name: 'close',
    text: 'a second close of the same session',
    act: async ({ stage, scene, subject, log }) => {
      const second = stage.watch(scene.argv(subject.name), `${log}.second`, {
        isHurried: scene.isHurried ?? false,
      });
      const { exitCode, stdout, stderr } = await second.ended;
      return { ...NOTHING, note: `the second one: ${exitCode} ${(stdout + stderr).split('\n')[0]}` };
    },
  },
  {
    name: 'killed',
    text: 'rollcall is killed; the next command completes the record',
    act: async (moment) => {
      const { stage, subject, pid, log } = moment;
      await stage.world.run(['kill', '-KILL', String(pid)]);
      await until('it is gone', () => !stage.world.isAlive(pid));
      const since = Number(process.hrtime.bigint());
      const stood = await stands(moment);
      const recoveryLog = `${log}.recovery`;
      const whom = stood ? subject.sessionId : 'bystander-works';
      const { exitCode } = await stage.watch(['hold', whom], recoveryLog).ended;
      if (!stood) return { ...NOTHING, recoveryLog };
      return { ...untouchable(moment), isPromised: exitCode === 0, recoveryLog, since };
    },
  },
  {
    name: 'stopped',
    text: 'the tmux server stands still for three seconds',
    act: async ({ stage }) => {
      const server = await stage.world.tmux('display-message', '-p', '#{pid}');
      await stage.world.sh(`kill -STOP ${server}; (sleep 3; kill -CONT ${server}) >/dev/null 2>&1 &`);
      return NOTHING;
    },
  },
];
