import { closeSync, constants, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { remove } from './segments.ts';

const zip = promisify(gzip);

/** Compresses a closed segment beside itself, then takes its place. Readers find one or the other, each whole. */
export async function pack(path: string): Promise<number> {
  const packed = await zip(readFileSync(path), { level: 6 });
  const temporary = `${path}.gz.tmp`;
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  try {
    const file = openSync(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(file, packed);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, `${path}.gz`);
  } catch (error) {
    remove(temporary);
    throw error;
  }
  remove(path);
  return packed.length;
}
