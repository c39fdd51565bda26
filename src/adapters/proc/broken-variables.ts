import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

const REPLACEMENT = '\ufffd';

/**
 * Variables of this process whose bytes are no UTF-8. Node.js has them with other characters in their place, and would hand
 * on those. Where the bytes cannot be read (macOS), what holds such a character counts. PATH is none: in it only a folder
 * that nobody can name is not found.
 */
export function brokenVariables(env: NodeJS.ProcessEnv, path = '/proc/self/environ'): string[] {
  const suspects = Object.keys(env).filter(
    (name) => name !== 'PATH' && `${name}=${env[name]}`.includes(REPLACEMENT),
  );
  if (suspects.length === 0) return [];
  const broken = brokenIn(path);
  return broken === null ? suspects : suspects.filter((name) => broken.has(name));
}

function brokenIn(path: string): ReadonlySet<string> | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return null;
  }
  // One character for each byte, so that nothing is lost before it is looked at.
  const entries = bytes.toString('latin1').split('\0');
  const broken = entries.map((entry) => Buffer.from(entry, 'latin1')).filter((entry) => !isUtf8(entry));
  return new Set(broken.map((entry) => entry.toString('utf8').split('=', 1)[0] ?? ''));
}
