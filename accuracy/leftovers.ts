import type { Venue } from './cast.ts';
import { playDaemon } from './leftover-daemon.ts';
import type { Leaving, Resident, Room } from './leftover-room.ts';
import { inRoom } from './leftover-room.ts';
import { expectClass, expectFixable, expectOnlyLiving, expectRunning, named } from './leftover-words.ts';
import type { MarkedProcess } from './marked-processes.ts';
import { identityOf, isSameRunning, terminalProcessesBelow, wordsOf } from './marked-processes.ts';
import type { Specimen } from './specimens/specimen.ts';
import { toolCalled, turnEnd } from './turns.ts';
import { NotReached, until } from './until.ts';

/** What these leave behind when they are killed is what the doctor is for; of the others it is only told. */
const LEAVING: ReadonlySet<string> = new Set(['claude', 'opencode']);
const TOOL_SECONDS = 900;
const WORKING = { state: 'working', activity: 'working', mayClose: false } as const;

type Verb = 'run' | 'background';

/** Kills a real agent in the midst of its tools, and holds what the doctor says and does against what is left. */
export async function playLeftovers(specimen: Specimen, venue: Venue): Promise<Leaving[]> {
  const { kind } = specimen;
  const killed = await inRoom({ title: `${kind}, killed`, name: `left-${kind}` }, specimen, venue, (room) =>
    playKilled(specimen, room),
  );
  return kind === 'codex' ? [killed, await playDaemon(specimen, venue)] : [killed];
}

async function playKilled(specimen: Specimen, room: Room): Promise<void> {
  const before = room.running();
  const neighbour = await startIn(room, specimen, `${specimen.kind}-neighbour`, 'a neighbour');
  await order(room, neighbour, 'background');
  const tool = room
    .running()
    .filter(({ pid }) => wordsOf(pid).includes(markOf(room, neighbour, 'background')));
  const bystanders = [...before, ...neighbour.agent, ...tool, ...(await stand(room))];
  await playWithSession(specimen, room, bystanders);
  await playAlone(specimen, room, bystanders);
  await room.step(
    'the neighbour',
    async () => {
      expectOnlyLiving(await room.doctor(), [...neighbour.agent, ...tool], neighbour.key);
      await turnEnd(neighbour.actor, await neighbour.actor.order('done', '', WORKING));
    },
    () => 'belongs-to-a-live-session; it has its tool, and does another turn',
  );
}

/** The agent is killed in a session that goes on, and the session ends later. */
async function playWithSession(
  specimen: Specimen,
  room: Room,
  bystanders: readonly MarkedProcess[],
): Promise<void> {
  const name = `${specimen.kind}-shared`;
  const before = room.running();
  const resident = await startIn(room, specimen, name, 'beside another window');
  const beside = room.tmux.run(
    'new-window',
    '-d',
    '-P',
    '-F',
    '#{pane_pid}',
    '-t',
    `=${name}:`,
    'exec sleep 90000',
  );
  await order(room, resident, 'run');
  const left = await killIn(room, specimen, resident, [...before, ...identities(Number(beside))]);
  if (!room.hasSession(name)) throw new NotReached('the session did not outlive its agent');
  await room.step(
    'doctor, the session lives',
    async () => {
      const diagnosis = await room.doctor();
      expectFixable(diagnosis, []);
      return expectClass(diagnosis, left, { class: 'belongs-to-a-live-session', session: resident.key });
    },
    (said) =>
      said.length === 0 ? 'nothing of it runs' : `belongs-to-a-live-session, of this session: ${named(said)}`,
  );
  await room.step(
    '--fix --yes',
    async () => {
      const { fixes } = await room.doctor('--fix', '--yes');
      expectRunning([...left, ...bystanders]);
      return fixes;
    },
    (fixes) => `${fixes.length} ended`,
  );
  room.tmux.run('kill-session', '-t', `=${name}`);
  await mend(room, resident, left, bystanders);
}

/** The agent is killed, and its session goes with it. */
async function playAlone(
  specimen: Specimen,
  room: Room,
  bystanders: readonly MarkedProcess[],
): Promise<void> {
  const name = `${specimen.kind}-alone`;
  const before = room.running();
  const resident = await startIn(room, specimen, name, 'alone in its session');
  await order(room, resident, 'background');
  await order(room, resident, 'run');
  const left = await killIn(room, specimen, resident, before);
  // tmux keeps a pane for as long as anybody has its terminal.
  if (room.hasSession(name)) room.tmux.run('kill-session', '-t', `=${name}`);
  await mend(room, resident, left, bystanders);
}

function startIn(room: Room, specimen: Specimen, name: string, how: string): Promise<Resident> {
  return room.step(
    `run, ${how}`,
    () => room.start(name, specimen.command({}).split(' ')),
    ({ key }) => `started as ${key}`,
  );
}

/** Has the agent run something that takes long, and waits until it runs. */
async function order(room: Room, resident: Resident, verb: Verb): Promise<void> {
  const { actor } = resident;
  const mark = markOf(room, resident, verb);
  const command = `${room.dwelling.quiet} ${TOOL_SECONDS} ${mark}`;
  const tag = await actor.order(verb, command, WORKING);
  await toolCalled(actor, tag);
  const isUp = () => room.running().some(({ pid }) => wordsOf(pid).includes(mark));
  if (!(await until(isUp, 20_000))) throw new NotReached(`its tool did not start: ${command}`);
  if (verb === 'background') await turnEnd(actor, tag);
}

// A word in the command line of the tool, by which the driver knows it.
function markOf({ dwelling: { scratch } }: Room, { actor }: Resident, verb: Verb): string {
  return `${scratch}/${actor.session}-${verb}`;
}

async function killIn(
  room: Room,
  { kind }: Specimen,
  resident: Resident,
  before: readonly MarkedProcess[],
): Promise<readonly MarkedProcess[]> {
  const known = new Set(before.map(({ pid, startTicks }) => `${pid} ${startTicks}`));
  return room.step(
    'SIGKILL in the midst of its tools',
    async () => {
      await room.kill(resident);
      const left = room.running().filter(({ pid, startTicks }) => !known.has(`${pid} ${startTicks}`));
      const isTool = ({ pid }: MarkedProcess) => wordsOf(pid).includes(room.dwelling.quiet);
      if (LEAVING.has(kind) && !left.some(isTool)) throw new NotReached('it left no tool behind');
      return left;
    },
    (left) => (left.length === 0 ? 'it left nothing behind' : `processes left behind: ${left.length}`),
  );
}

/**
 * The session is gone: everything that it left is found and left alone, because nobody can tell whether it is wanted; by
 * their pids these are ended, and nothing else is; then nothing is found.
 */
async function mend(
  room: Room,
  { key }: Resident,
  left: readonly MarkedProcess[],
  bystanders: readonly MarkedProcess[],
): Promise<void> {
  const orphans = left.filter(isSameRunning);
  await room.step(
    'doctor, the session is gone',
    async () => {
      const diagnosis = await room.doctor();
      expectFixable(diagnosis, []);
      return expectClass(diagnosis, orphans, { class: 'left-running', session: key });
    },
    (said) => (said.length === 0 ? 'nothing was left' : `left-running, of this session: ${named(said)}`),
  );
  const others = room.running().filter(({ pid }) => !orphans.some((one) => one.pid === pid));
  await room.step(
    '--fix --yes',
    async () => {
      const { fixes } = await room.doctor('--fix', '--yes');
      expectRunning([...orphans, ...bystanders, ...others]);
      return fixes;
    },
    (fixes) => `${fixes.length} ended`,
  );
  await room.step(
    '--fix --pid, one by one',
    async () => {
      for (const one of orphans) {
        // What ran below another one may be gone with it.
        if (!isSameRunning(one)) continue;
        const { fixes } = await room.doctor('--fix', '--yes', '--pid', String(one.pid));
        if (isSameRunning(one)) throw new NotReached(`pid ${one.pid} runs: ${JSON.stringify(fixes)}`);
      }
      expectRunning([...bystanders, ...others]);
    },
    () => `${orphans.length} of ${orphans.length} ended, ${others.length} others untouched`,
  );
  await room.step(
    'doctor again',
    async () => {
      const diagnosis = await room.doctor();
      expectFixable(diagnosis, []);
      if (diagnosis.code !== 0) throw new NotReached(`it ends with ${diagnosis.code}`);
    },
    () => 'clean, exit code 0',
  );
}

/** The same program, started by nobody's agent from a pane that rollcall never had. */
async function stand({ tmux, dwelling: { quiet } }: Room): Promise<MarkedProcess[]> {
  const words = ['-d', '-P', '-F', '#{pane_pid}', '-s', 'bystander', `exec ${quiet} ${TOOL_SECONDS}`];
  const pid = Number(tmux.run('new-session', ...words));
  const below = await until(() => {
    const found = terminalProcessesBelow(pid);
    return found.length > 0 && found;
  }, 5000);
  if (!below) throw new NotReached('the bystander did not start');
  return [pid, ...below].flatMap(identities);
}

function identities(pid: number): MarkedProcess[] {
  const found = identityOf(pid);
  return found === null ? [] : [found];
}
