import type { Actor } from './actor.ts';
import type { Venue } from './cast.ts';
import type { Leaving, Room } from './leftover-room.ts';
import { inRoom } from './leftover-room.ts';
import { expectClass, expectFixable, expectRunning, named } from './leftover-words.ts';
import type { MarkedProcess } from './marked-processes.ts';
import { variableOf, wordsOf } from './marked-processes.ts';
import type { Specimen } from './specimens/specimen.ts';
import { toolCalled, turnEnd } from './turns.ts';
import { NotReached, until } from './until.ts';

const WORKING = { state: 'working', activity: 'working', mayClose: false } as const;
// Long enough for two runs of the doctor, short enough to be waited for.
const TOOL_SECONDS = 30;

/** Codex's daemon is started from one pane and serves a second: the first goes, and neither daemon nor tool is touched. */
export function playDaemon(specimen: Specimen, venue: Venue): Promise<Leaving> {
  const about = { title: `${specimen.kind}, its daemon`, name: `left-${specimen.kind}-daemon` };
  return inRoom(about, specimen, venue, (room) => play(specimen, room));
}

async function play(specimen: Specimen, room: Room): Promise<void> {
  const words = specimen.command({ isDaemon: true }).split(' ');
  const enter = (name: string) => room.start(name, words, '--plain');
  const first = await room.step(
    'run, the first pane',
    () => enter('daemon-first'),
    ({ key }) => `started as ${key}`,
  );
  const pane = room.tmux.run('display-message', '-p', '-t', '=daemon-first:', '#{pane_id}');
  await turn(first.actor);
  const daemon = room.running().filter(({ pid }) => wordsOf(pid).includes('app-server'));
  if (daemon.length === 0) throw new NotReached('there is no daemon');
  const second = await room.step(
    'run, the second pane',
    () => enter('daemon-second'),
    ({ key }) => `started as ${key}; ${daemon.length} processes of the daemon`,
  );
  const { tag, tool } = await startTool(room, second.actor);
  await room.step(
    'SIGKILL to the first',
    async () => {
      await room.kill(first);
      if (room.hasSession('daemon-first')) throw new NotReached('its session did not go');
      expectRunning([...daemon, ...tool]);
      return tool.map(({ pid }) => variableOf(pid, 'TMUX_PANE'));
    },
    (marks) =>
      `its session is gone; the second’s tool runs${marks.includes(pane) ? ' and bears the pane of the first' : ''}`,
  );
  await leaveAlone(room, [...daemon, ...tool], 'vendor-daemon-in-use');
  await room.step(
    'the second goes on',
    async () => {
      await turnEnd(second.actor, tag);
      await turn(second.actor);
    },
    () => 'its tool ended, its turn too, and one more after it',
  );
  await room.step(
    'SIGKILL to the second',
    () => room.kill(second),
    () => 'nobody is left that uses the daemon',
  );
  await leaveAlone(room, daemon, 'foreign');
}

async function turn(actor: Actor): Promise<void> {
  await turnEnd(actor, await actor.order('done', '', WORKING));
}

async function startTool(
  room: Room,
  actor: Actor,
): Promise<{ readonly tag: string; readonly tool: readonly MarkedProcess[] }> {
  const { quiet, scratch } = room.dwelling;
  const mark = `${scratch}/second`;
  const tag = await actor.order('run', `${quiet} ${TOOL_SECONDS} ${mark}`, WORKING);
  await toolCalled(actor, tag);
  const tool = await until(() => {
    const found = room.running().filter(({ pid }) => wordsOf(pid).includes(mark));
    return found.length > 0 && found;
  }, 20_000);
  if (!tool) throw new NotReached('the tool of the second pane did not start');
  return { tag, tool };
}

async function leaveAlone(room: Room, processes: readonly MarkedProcess[], expected: string): Promise<void> {
  await room.step(
    'doctor',
    async () => {
      const diagnosis = await room.doctor();
      expectFixable(diagnosis, []);
      return expectClass(diagnosis, processes, { class: expected });
    },
    (said) => `${expected}: ${named(said)}`,
  );
  await room.step(
    '--fix --yes',
    async () => {
      const { fixes } = await room.doctor('--fix', '--yes');
      expectRunning(processes);
      return fixes;
    },
    (fixes) => `${fixes.length} ended, all of them run`,
  );
}
