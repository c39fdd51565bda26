import { linkAt, namesIn, textAt } from '../../files/look.ts';

/** Whether this process listens on that loopback port; null without /proc, where an answer from the port proves nothing. */
export type Listens = (pid: number, port: number) => boolean | null;

const LISTENING = '0A';
const MAX_TABLE_AGE_MS = 500;
// Loopback and "any", as the kernel writes them for IPv4 and IPv6.
const REACHED_BY_LOOPBACK = new Set([
  '0100007F',
  '00000000',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
]);

/** Reads the sockets of our own network namespace: the same port number in a container is another port. */
export function createListens(now: () => number): Listens {
  let table: ReadonlyMap<number, ReadonlySet<string>> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  const descriptors = new Map<number, string>();

  return (pid, port) => {
    if (now() - readAt >= MAX_TABLE_AGE_MS || now() < readAt) {
      table = readTable();
      readAt = now();
    }
    if (table === null) return null;
    const sockets = table.get(port);
    // Two listeners on one port share its connections: which of them would answer is not known.
    if (sockets?.size !== 1) return false;
    const [socket] = sockets;
    return holds(pid, socket as string, descriptors);
  };
}

function readTable(): Map<number, Set<string>> | null {
  const table = new Map<number, Set<string>>();
  const texts = ['/proc/self/net/tcp', '/proc/self/net/tcp6'].flatMap((file) => textAt(file) ?? []);
  for (const line of texts.join('\n').split('\n')) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    const [address, port] = local?.split(':') ?? [];
    if (state !== LISTENING || !REACHED_BY_LOOPBACK.has(address ?? '') || inode === undefined) continue;
    const number = Number.parseInt(port ?? '', 16);
    table.set(number, (table.get(number) ?? new Set()).add(`socket:[${inode}]`));
  }
  return texts.length > 0 ? table : null;
}

// The descriptor under which a process held the socket before is looked at first.
function holds(pid: number, socket: string, descriptors: Map<number, string>): boolean {
  const folder = `/proc/${pid}/fd`;
  const known = descriptors.get(pid);
  if (known !== undefined && linkAt(`${folder}/${known}`) === socket) return true;
  const found = namesIn(folder).find((name) => linkAt(`${folder}/${name}`) === socket);
  if (found === undefined) descriptors.delete(pid);
  else descriptors.set(pid, found);
  return found !== undefined;
}
