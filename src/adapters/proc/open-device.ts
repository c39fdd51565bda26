import { type Stats, statSync } from 'node:fs';
import { linkAt } from '../files/look.ts';
import { readProcText } from './proc-file.ts';

/**
 * Looks at the device that a descriptor of a process is open on; null for everything else. What the link itself does not show
 * to be a device is not touched: a look at a file on a mount that gives no answer would never return.
 */
export function statOpenDevice(folder: string, descriptor: string | number): Stats | null {
  const link = linkAt(`${folder}/fd/${descriptor}`) ?? '';
  const isDevice = link.startsWith('/dev/') || (/^\/\d+$/.test(link) && isInDevpts(folder, descriptor));
  return isDevice ? statOf(`${folder}/fd/${descriptor}`) : null;
}

export function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

// A terminal that was mounted elsewhere (the console of a container) shows its number alone, as any file may.
function isInDevpts(folder: string, descriptor: string | number): boolean {
  const mount = /^mnt_id:\s*(\d+)$/m.exec(readProcText(`${folder}/fdinfo/${descriptor}`) ?? '')?.[1];
  const lines = readProcText(`${folder}/mountinfo`)?.split('\n') ?? [];
  return lines.some((line) => line.startsWith(`${mount} `) && / - devpts /.test(line));
}
