import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentFolder } from '../laws/resident.ts';
import { removeFolder } from './remove-folder.ts';

/** Gives the whole run one folder for sockets, state and config, away from the user's own, and removes it at the end. */
export default function setup(): () => void {
  const folder = folderInMemory() ?? mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  process.env.ROLLCALL_TEST_FOLDER = folder;
  // Every shell that tmux starts in a pane reads what lies in the home, and a user's own may take seconds for that.
  process.env.HOME = join(folder, 'home');
  mkdirSync(process.env.HOME, { mode: 0o700 });
  for (const name of ['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR']) delete process.env[name];
  // Every Node that starts would read these certificates first, which takes three times as long as starting; no test needs them.
  delete process.env.NODE_EXTRA_CA_CERTS;
  return () => {
    for (const left of [folder, residentFolder()]) removeFolder(left);
  };
}

/** What one run may need at the same time, and more. */
const ENOUGH_BYTES = 1024 ** 3;

/**
 * Thousands of ledgers are written to the disk and thrown away; no test can tell whether they would outlast a power cut. Null
 * where there is no such place, or where it is small or runs no programs, as in many containers.
 */
function folderInMemory(): string | null {
  const place = '/dev/shm';
  let folder: string | null = null;
  try {
    const { bavail, bsize } = statfsSync(place);
    if (bavail * bsize < ENOUGH_BYTES) return null;
    folder = mkdtempSync(join(place, 'rollcall-test-'));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    rmSync(program);
    return folder;
  } catch {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return null;
  }
}
