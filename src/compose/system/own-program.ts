import { realpathSync } from 'node:fs';

/** What is started to ask rollcall later, by hooks and by sleepers: this very program, on this very Node.js. */
export function ownProgram(): { readonly node: string; readonly program: string } {
  const [, program = ''] = process.argv;
  return { node: process.execPath, program: realPath(program) };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
