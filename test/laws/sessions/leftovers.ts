import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import type { Neighbours } from './neighbours.ts';
import { isSame, type Running, running } from './processes.ts';
import type { Room } from './room.ts';

/** What belongs to whole servers: options, hooks, buffers, variables, keys. rollcall changes none of it. */
export type ServerState = ReadonlyMap<string, string>;

const ASKED = [
  ['show-options', '-g'],
  ['show-options', '-s'],
  ['show-options', '-gw'],
  ['show-hooks', '-g'],
  ['list-buffers'],
  ['show-environment', '-g'],
];

export async function serverState(room: Room): Promise<ServerState> {
  const state = new Map<string, string>();
  for (const label of labelsIn(room)) {
    // The first client of a server decides what its variables are, and the last one what it was told to update.
    state.set(label, (await room.tryTmux(label, ...ASKED)) ?? 'gone');
  }
  return state;
}

function labelsIn(room: Room): string[] {
  const folder = join(room.socket('x'), '..');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** What a batch has left where nothing of it belongs. */
export async function leftBehind(room: Room, before: ServerState): Promise<string[]> {
  const wrongs: string[] = [];
  const now = await serverState(room);
  for (const [label, text] of before) {
    const told = now.get(label);
    if (told === 'gone' || told === undefined) wrongs.push(`server ${label} is gone`);
    else if (told !== text)
      wrongs.push(`server ${label} has other options, hooks or buffers: ${firstChange(text, told)}`);
  }
  for (const label of now.keys()) if (!before.has(label)) wrongs.push(`there is another server: ${label}`);
  const temporary = readdirSync(join(room.folder, 'tmp'));
  if (temporary.length > 0) wrongs.push(`temporary files are left: ${temporary}`);
  const written = readdirSync(room.stateFolder, { recursive: true, encoding: 'utf8' });
  const unfinished = written.filter((name) => /\.(writing|new|tmp)|\.writing/.test(name));
  if (unfinished.length > 0) wrongs.push(`files were not finished: ${unfinished}`);
  for (const folder of ['run', 'cache', 'data', 'home'])
    for (const name of readdirSync(join(room.folder, folder)))
      if (name !== 'rollcall') wrongs.push(`${folder} has ${name}`);
  const open = ['daemon.json', 'rollcall.sock'].filter((name) => existsSync(join(room.stateFolder, name)));
  if (open.length > 0) wrongs.push(`the daemon has left ${open}`);
  return wrongs;
}

function firstChange(before: string, after: string): string {
  const [was, is] = [before.split('\n'), after.split('\n')];
  return [...is.filter((line) => !was.includes(line)), ...was.filter((line) => !is.includes(line))]
    .slice(0, 3)
    .join(' | ');
}

/** Ends the servers of a batch and what it knows to have been detached there; whatever runs on then is left over. */
export async function endEverything(room: Room, neighbours: Neighbours): Promise<string[]> {
  const inRoom = () => running().filter((one) => isOf(room, one));
  const strangers = inRoom().filter(({ argv, pane }) => pane.trim() === '' && !/^tmux/.test(argv[0] ?? ''));
  for (const label of neighbours.labels) await room.tryTmux(label, ['kill-server']);
  await room.sh('tmux -S desk kill-server 2>/dev/null || true');
  // What agents left outside of their terminals.
  for (const one of inRoom()) if (one.argv[0] === 'sleep' && isSame(one)) process.kill(one.pid, 'SIGKILL');
  const left = await until('all are gone', inRoom, (all) => all.length === 0).catch(inRoom);
  return [...strangers, ...left].map(({ pid, argv }) => `left over: ${pid} ${argv.join(' ').slice(0, 200)}`);
}

/** By its command line, or by the terminal that it was started in. */
function isOf({ folder }: Room, { argv, pane }: Running): boolean {
  return pane.startsWith(folder) || argv.some((word) => word.includes(folder));
}
