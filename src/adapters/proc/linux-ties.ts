import { readdirSync } from 'node:fs';
import type { Ties, Unread } from '../../core/doctor/ties.ts';
import { linkAt } from '../files/look.ts';
import { abandonedIn, doorsIn, isListening, type Open, readOpenFile, TERMINAL } from './open-doors.ts';
import { failure, livingThread, readProcText } from './proc-file.ts';

interface Access {
  readonly reads: boolean;
  readonly writes: boolean;
}

/**
 * Who can talk to each of these processes, by the links of /proc/PID/fd: null where its own cannot be read. Files are
 * compared by their names and inodes, as the kernel tells them: a look at one on a mount that gives no answer would never return.
 */
export function readTies(procRoot: string, pids: readonly number[]): Map<number, Ties | null> {
  const own = new Map(pids.map((pid) => [pid, openIn(procRoot, pid)]));
  const ways = new Map<string, Map<number, Access>>();
  for (const read of own.values()) {
    for (const { link } of read.state === 'read' ? read.open : []) if (isWay(link)) ways.set(link, new Map());
  }
  const files = filesOf(
    procRoot,
    [...own.values()].flatMap((read) =>
      read.state === 'read' ? [[read.folder, read.open.filter(isFile)] as const] : [],
    ),
  );
  const unread: Unread[] = [];
  for (const pid of pidsIn(procRoot)) {
    const read = openIn(procRoot, pid);
    if (read.state === 'refused') unread.push({ pid, cgroup: cgroupOf(procRoot, pid) });
    if (read.state !== 'read') continue;
    for (const one of read.open) {
      const { link, descriptor } = one;
      for (const name of isFile(one)
        ? [link, ...namesAmong(files, procRoot, read.folder, descriptor)]
        : [link]) {
        const users = ways.get(name);
        users?.set(pid, both(users.get(pid), accessOf(read.folder, descriptor)));
      }
    }
  }
  return new Map(
    [...own].map(([pid, read]) => [
      pid,
      read.state === 'read' ? tiesIn(procRoot, pid, read, ways, unread) : null,
    ]),
  );
}

function tiesIn(
  procRoot: string,
  pid: number,
  { folder, open }: { readonly folder: string; readonly open: readonly Open[] },
  ways: ReadonlyMap<string, ReadonlyMap<number, Access>>,
  unread: readonly Unread[],
): Ties {
  const links = [...new Set(open.map(({ link }) => link))];
  const inodes = links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
  const abandoned = inodes.length > 0 ? abandonedIn(folder) : new Set();
  const holders = links.flatMap((link) => {
    const users = ways.get(link);
    const mine = users?.get(pid);
    return [...(users ?? [])].flatMap(([other, theirs]) =>
      other !== pid && (mine === undefined || isOpposite(mine, theirs)) ? [other] : [],
    );
  });
  return {
    holders: [...new Set(holders)],
    isListening: inodes.length > 0 && isListening(folder),
    sockets: inodes.filter((inode) => !abandoned.has(inode)),
    terminals: links.filter((link) => TERMINAL.test(link)),
    doors: doorsIn(procRoot, folder, open),
    unread,
    cgroup: cgroupOf(procRoot, pid),
  };
}

// Shared memory is handed over through a socket, and devices are no way to a process.
const NO_WAY = /^\/(?:dev\/(?!shm\/)|memfd:|proc\/)/;

// A pipe, or a file, through which two may talk.
function isWay(link: string): boolean {
  return link.startsWith('pipe:[') || isFile({ link });
}

function isFile({ link }: Pick<Open, 'link'>): boolean {
  return link.startsWith('/') && !NO_WAY.test(link);
}

// Two that write to one log, or read one library, do not talk to each other.
function isOpposite(one: Access, other: Access): boolean {
  return (one.reads && other.writes) || (one.writes && other.reads);
}

function both(one: Access | undefined, other: Access): Access {
  return { reads: other.reads || one?.reads === true, writes: other.writes || one?.writes === true };
}

// O_ACCMODE; what cannot be read may do both.
function accessOf(process: string, descriptor: string): Access {
  const text = readProcText(`${process}/fdinfo/${descriptor}`) ?? '';
  const flags = /^flags:\s*([0-7]+)$/m.exec(text)?.[1];
  const mode = flags === undefined ? 2 : Number.parseInt(flags, 8) & 3;
  return { reads: mode !== 1, writes: mode !== 0 };
}

// The tree that systemd keeps its units in; for all users to read.
function cgroupOf(procRoot: string, pid: number): string | null {
  const text = readProcText(`${procRoot}/${pid}/cgroup`) ?? '';
  return (/^\d+:name=systemd:(\/.*)$/m.exec(text) ?? /^0::(\/.*)$/m.exec(text))?.[1] ?? null;
}

type OpenRead =
  | { readonly state: 'read'; readonly folder: string; readonly open: readonly Open[] }
  | { readonly state: 'gone' | 'refused' };

function openIn(procRoot: string, pid: number): OpenRead {
  const first = `${procRoot}/${pid}`;
  try {
    const found = openOf(first);
    // A first thread that has ended has nothing open, whatever the others have.
    const folder = found.length > 0 ? first : (livingThread(procRoot, pid)?.folder ?? first);
    return { state: 'read', folder, open: folder === first ? found : openOf(folder) };
  } catch (error) {
    return { state: failure(error).state as 'gone' | 'refused' };
  }
}

function openOf(process: string): Open[] {
  return readdirSync(`${process}/fd`).map((descriptor) => ({
    ...{ descriptor, link: linkAt(`${process}/fd/${descriptor}`) ?? '' },
  }));
}

function pidsIn(procRoot: string): number[] {
  return readdirSync(procRoot)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Files by inode: what each is called, and the device that it is on; null where that cannot be told. */
type Files = ReadonlyMap<string, readonly { readonly link: string; readonly device: string | null }[]>;

/** Collects what these processes have open, where the kernel tells the inode. */
function filesOf(procRoot: string, opens: Iterable<readonly [folder: string, open: readonly Open[]]>): Files {
  const files = new Map<string, { link: string; device: string | null }[]>();
  for (const [folder, open] of opens) {
    for (const { link, descriptor } of open) {
      const { inode, mount } = readOpenFile(procRoot, folder, descriptor);
      if (inode === null) continue;
      files.set(inode, [...(files.get(inode) ?? []), { link, device: deviceOf(mount()) }]);
    }
  }
  return files;
}

/** What a file of another process is called among these: a hard link or another mount gives it another name. */
function namesAmong(files: Files, procRoot: string, folder: string, descriptor: string): string[] {
  if (files.size === 0) return [];
  const { inode, mount } = readOpenFile(procRoot, folder, descriptor);
  const same = inode === null ? [] : (files.get(inode) ?? []);
  if (same.length === 0) return [];
  const device = deviceOf(mount());
  // Where a mount is not seen, the same inode may be the same file.
  const isSame = (other: string | null) => device === null || other === null || device === other;
  return same.flatMap((one) => (isSame(one.device) ? [one.link] : []));
}

function deviceOf(mount: string | null): string | null {
  return mount?.split(' ')[2] ?? null;
}
