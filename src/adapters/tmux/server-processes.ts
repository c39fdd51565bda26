import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { processKey } from '../../core/sight/identity.ts';
import type { Process, ProcessTable } from '../../core/sight/process.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import { linkAt, textAt } from '../files/look.ts';
import { realSocketPath } from './find-sockets.ts';

/** A running tmux server process and the socket it listens on. */
export interface ServerProcess {
  readonly pid: number;
  readonly startTicks: number;
  readonly isStopped: boolean;
  readonly socketPath: string;
}

/** Younger servers may not have bound their socket yet, so finding none is not remembered. */
const SETTLED_MS = 10_000;

/**
 * Finds servers by their process, which also finds those on `-S` sockets, in other socket folders, and those whose
 * socket file was deleted. Each process is searched once; the answer holds as long as the process lives.
 */
export function createServerFinder(
  procRoot: string,
  uid: number,
  realPath: (path: string) => string = realSocketPath,
): (table: ProcessTable, sockets: UnixSockets | null) => ServerProcess[] {
  let known = new Map<string, string | null>();
  return (table, sockets) => {
    if (sockets === null) return [];
    const next = new Map<string, string | null>();
    const found: ServerProcess[] = [];
    for (const process of table.byPid.values()) {
      if (!isServer(process)) continue;
      const key = processKey(process);
      const path = known.has(key) ? (known.get(key) ?? null) : listeningPath(procRoot, uid, process, sockets);
      if (path !== null || table.observedAt - process.startedAt > SETTLED_MS) next.set(key, path);
      if (path === null) continue;
      const { pid, startTicks } = process;
      found.push({ pid, startTicks, isStopped: isStopped(process), socketPath: realPath(path) });
    }
    known = next;
    return found;
  };
}

/** A stopped process (SIGSTOP, Ctrl-Z) accepts connections and never answers. `t`, held by a debugger, may answer. */
export function isStopped(process: Process): boolean {
  return process.state === 'T';
}

// tmux names its server process so on Linux (3.0 to 3.7).
function isServer(process: Process): boolean {
  return process.comm === 'tmux: server' && process.state !== 'Z' && process.state !== 'X';
}

function listeningPath(procRoot: string, uid: number, { pid }: Process, sockets: UnixSockets): string | null {
  const folder = join(procRoot, String(pid));
  try {
    if (statSync(folder).uid !== uid || !isInOurFileSystem(procRoot, folder)) return null;
    const inodes = socketInodes(folder);
    const path = pathOf(inodes, sockets) ?? pathOf(inodes, readUnixSockets(procRoot, pid));
    if (path === undefined) return null;
    return path.startsWith('/') ? path : resolve(readlinkSync(join(folder, 'cwd')), path);
  } catch {
    return null;
  }
}

/** In a container the same path names another socket. */
function isInOurFileSystem(procRoot: string, folder: string): boolean {
  const [theirs, ours] = [linkAt(join(folder, 'ns/mnt')), linkAt(join(procRoot, 'self/ns/mnt'))];
  return theirs === null || ours === null || theirs === ours;
}

function pathOf(inodes: readonly string[], sockets: UnixSockets | null): string | undefined {
  const inode = inodes.find((each) => sockets?.byInode.has(each));
  return inode === undefined ? undefined : sockets?.byInode.get(inode);
}

function socketInodes(folder: string): string[] {
  const links = readdirSync(join(folder, 'fd')).map((fd) => linkAt(join(folder, 'fd', fd)) ?? '');
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** The listening Unix sockets of one network namespace. */
export interface UnixSockets {
  /** Paths as their servers bound them: perhaps relative, perhaps through a symlink. */
  readonly paths: ReadonlySet<string>;
  /** The same paths by the inode that `/proc/<pid>/fd` names. */
  readonly byInode: ReadonlyMap<string, string>;
}

/** Reads the kernel's table of Unix sockets; null where there is none (macOS) or it may not be read. */
export function readUnixSockets(procRoot: string, pid?: number): UnixSockets | null {
  const table = textAt(join(procRoot, pid === undefined ? '' : String(pid), 'net/unix'));
  return table === null ? null : parseUnixSockets(table);
}

// Num RefCount Protocol Flags Type St Inode Path; flag 00010000 is SO_ACCEPTCON, which only listeners carry.
const LISTENER = /^\S+ \S+ \S+ 00010000 0001 \S+ +(\d+) (.+)$/;

/** Abstract sockets (`@…`) are left out: tmux cannot reach them by path. */
export function parseUnixSockets(table: string): UnixSockets {
  const paths = new Set<string>();
  const byInode = new Map<string, string>();
  for (const line of table.split('\n')) {
    if (!line.includes(' 00010000 ')) continue;
    const [, inode = '', path = '@'] = LISTENER.exec(line) ?? [];
    if (path.startsWith('@')) continue;
    paths.add(path);
    byInode.set(inode, path);
  }
  return { paths, byInode };
}

/**
 * Lays the process table beside what the sockets answered. A socket that leads nowhere while its server still runs
 * (its file was deleted, or another server took the path) is a server that cannot be reached, never an absent one. `running` are
 * all that are seen here, also those that nobody asked about.
 */
export function reconcile(
  sightings: readonly ServerSighting[],
  servers: readonly ServerProcess[],
  table: ProcessTable,
  running: readonly ServerProcess[] = servers,
): ServerSighting[] {
  const answering = new Set(sightings.map((sighting) => (sighting.state === 'present' ? sighting.pid : 0)));
  const silent = servers.filter((server) => !answering.has(server.pid));
  return sightings.flatMap((sighting): ServerSighting[] => {
    const { socketPath, observedAt } = sighting;
    const lost = (why: string) => (server: ServerProcess) => unreachable(server, observedAt, why);
    const [first, ...others] = silent.filter((server) => server.socketPath === socketPath);
    if (sighting.state === 'present') {
      const startTicks = isElsewhere(sighting, running, table)
        ? 0
        : (table.byPid.get(sighting.pid)?.startTicks ?? 0);
      const replaced = first === undefined ? [] : [first, ...others];
      return [{ ...sighting, startTicks }, ...replaced.map(lost('another server took its socket'))];
    }
    if (first === undefined) return [sighting];
    const { pid, startTicks } = first;
    const unled = lost(`its socket file does not lead to it (kill -USR1 ${pid} remakes it)`);
    const own = sighting.state === 'failed' ? { ...sighting, pid, startTicks } : unled(first);
    return [own, ...others.map(lost('it shares its socket path'))];
  });
}

/**
 * Whether the number that a server gave is somebody else's here: one in another container counts processes for itself, and
 * two that begin alike have the same numbers, down to those of their panes.
 */
function isElsewhere(
  { pid, socketPath }: Pick<ServerProcess, 'pid' | 'socketPath'>,
  running: readonly ServerProcess[],
  table: ProcessTable,
): boolean {
  const own = running.filter((server) => server.pid === pid);
  if (own.length > 0) return own.every((server) => server.socketPath !== socketPath);
  const comm = table.byPid.get(pid)?.comm;
  return comm !== undefined && !/tmux|: server/.test(comm);
}

function unreachable(server: ServerProcess, observedAt: number, why: string): ServerSighting {
  const { socketPath, pid, startTicks } = server;
  const text = `server ${pid} runs, but ${why}`;
  return { state: 'failed', socketPath, observedAt, failure: 'refused', text, pid, startTicks };
}
