import { existsSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/** The pid that a shell writes into a file. The file is there, and empty, a moment before the number is in it. */
export async function toldPid(path: string): Promise<number> {
  const told = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  return Number(await until(`${path} tells a pid`, told, (text) => /^\d+\n$/.test(text)));
}
