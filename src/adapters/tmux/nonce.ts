import { closeSync, openSync, readSync } from 'node:fs';

/**
 * A word that nothing on a screen can foresee, to delimit what tmux prints. Straight from the kernel: importing
 * node:crypto costs more than the rest of a listing.
 */
export function createNonce(): string {
  const bytes = Buffer.allocUnsafe(9);
  const source = openSync('/dev/urandom', 'r');
  try {
    readSync(source, bytes, 0, bytes.length, null);
  } finally {
    closeSync(source);
  }
  return bytes.toString('hex');
}
