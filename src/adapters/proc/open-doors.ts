import { readdirSync } from 'node:fs';
import { mountsIn } from '../../core/sight/mounts.ts';
import { linkAt, textAt } from '../files/look.ts';
import { isDeviceName, readProcText, statOf } from './proc-file.ts';

/** What a process has open: what it is, and what may be done with it. */
export interface Open {
  readonly link: string;
  readonly descriptor: string;
}

/** What the kernel tells of an open file without asking its file system. */
export interface SeenFile {
  /** Null where the kernel does not tell (before Linux 5.14). */
  readonly inode: string | null;
  /** The line of its mount in mountinfo; null for one that this process does not see. */
  mount(): string | null;
}

// One that was deleted went with its master, so no agent works on it.
export const TERMINAL = /^\/dev\/(?:pts\/|tty|console|ptmx)(?!.* \(deleted\)$)/;
const CLOSED_TERMINAL = /^\/dev\/pts\/\d+ \(deleted\)$/;
// Pipes and sockets are looked at for themselves. The others belong to the process alone, or are handed over through a socket.
const NO_DOOR =
  /^(?:pipe:\[|socket:\[|anon_inode:\[(?:eventpoll|eventfd|timerfd|signalfd)\]$|\/memfd:.* \(deleted\)$)/;
// 1:3, 1:5, 1:7, 1:8 and 1:9: null, zero, full, random and urandom.
const SILENT_DEVICES: ReadonlySet<number> = new Set([3, 5, 7, 8, 9].map((minor) => (1 << 8) | minor));

/**
 * What it has open through which others may reach it by a name, whoever has it open now: a FIFO, a folder that it watches, a
 * device. Only what is known to be none is left out.
 */
export function doorsIn(procRoot: string, folder: string, open: readonly Open[]): string[] {
  const doors = open.flatMap((one) =>
    NO_DOOR.test(one.link) || TERMINAL.test(one.link) || CLOSED_TERMINAL.test(one.link)
      ? []
      : (doorAt(procRoot, folder, one) ?? []),
  );
  return [...new Set(doors)];
}

function doorAt(procRoot: string, folder: string, { link, descriptor }: Open): string | null {
  if (link === '') return 'something that cannot be read';
  if (link === RING && isEmptyRing(readProcText(`${folder}/fdinfo/${descriptor}`) ?? '')) return null;
  if (!link.startsWith('/')) return link;
  const isLocal = isAnswered(readOpenFile(procRoot, folder, descriptor).mount());
  // A look at a file on a mount that gives no answer would never return; what lies in /dev is the kernel's.
  const looks = isLocal || isDeviceName(link) ? statOf(`${folder}/fd/${descriptor}`) : null;
  if (looks === null) return `${link}, which may be a FIFO`;
  if (looks.isFIFO()) return `the FIFO ${link}`;
  if (looks.isCharacterDevice()) return SILENT_DEVICES.has(looks.rdev) ? null : `the device ${link}`;
  return isLocal && (looks.isFile() || looks.isDirectory()) ? null : link;
}

/** Node.js has some from 22 on, and hands them nothing that others could use. */
const RING = 'anon_inode:[io_uring]';

// What a ring holds is in no list of what is open: files that were given to it, and what it waits for. A kernel thread takes from
// it at any time. While the ring is in use the kernel tells only a part.
function isEmptyRing(told: string): boolean {
  return [/^SqThread:\s*-1$/m, /^UserFiles:\s*0$/m, /^PollList:$(?!\n\s)/m].every((line) => line.test(told));
}

// Queues of messages look like files.
function isAnswered(mount: string | null): boolean {
  return mount !== null && !mount.includes(' - mqueue ') && mountsIn(mount)[0]?.isSafe === true;
}

export function readOpenFile(procRoot: string, folder: string, descriptor: string): SeenFile {
  const told = readProcText(`${folder}/fdinfo/${descriptor}`) ?? '';
  const id = /^mnt_id:\s*(\d+)$/m.exec(told)?.[1];
  return {
    inode: /^ino:\s*(\d+)$/m.exec(told)?.[1] ?? null,
    // Opened in another namespace and handed over, it is on a mount of whoever opened it.
    mount: () => (id === undefined ? null : (mountIn(folder, id) ?? mountIn(`${procRoot}/self`, id) ?? null)),
  };
}

function mountIn(folder: string, id: string): string | undefined {
  const lines = readProcText(`${folder}/mountinfo`)?.split('\n') ?? [];
  return lines.find((line) => line.startsWith(`${id} `));
}

/** Whether others can connect to the process of a folder of /proc: it has a socket open that listens. What cannot be read may. */
export function isListening(process: string): boolean {
  try {
    const folder = `${process}/fd`;
    const links = readdirSync(folder).map((name) => linkAt(`${folder}/${name}`) ?? '');
    const own = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
    return own.size > 0 && listeningIn(`${process}/net`).some((inode) => own.has(inode));
  } catch {
    return true;
  }
}

/**
 * Sockets that nobody is at the other end of any more, by inode. A connected stream socket is counted for its process, for
 * the kernel's list and for its other end, which lets go when its last holder has closed it: so with two nobody is left.
 */
export function abandonedIn(process: string): ReadonlySet<string> {
  const rows = rowsIn(`${process}/net/unix`);
  const isAbandoned = ([, count, , flags, type, state]: string[]) =>
    count === '00000002' && flags === '00000000' && (type === '0001' || type === '0005') && state === '03';
  return new Set(rows.filter(isAbandoned).map((row) => row[6] ?? ''));
}

function listeningIn(folder: string): string[] {
  const [unix, tcp, tcp6] = ['unix', 'tcp', 'tcp6'].map((name) => rowsIn(`${folder}/${name}`));
  return [
    // __SO_ACCEPTCON
    ...(unix ?? []).flatMap((row) => (row[3] === '00010000' ? [row[6] ?? ''] : [])),
    // TCP_LISTEN
    ...[...(tcp ?? []), ...(tcp6 ?? [])].flatMap((row) => (row[3] === '0A' ? [row[9] ?? ''] : [])),
  ];
}

function rowsIn(path: string): string[][] {
  // Without IPv6 there is no such file.
  const [, ...lines] = (textAt(path, 'latin1') ?? '').split('\n');
  return lines.map((line) => line.trim().split(/\s+/));
}
