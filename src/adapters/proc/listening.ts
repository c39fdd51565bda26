import { readdirSync } from 'node:fs';
import { linkAt, textAt } from '../files/look.ts';

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
