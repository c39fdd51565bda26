import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the whole run one folder for sockets, state and config, away from the user's own, and removes it at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  process.env.ROLLCALL_TEST_FOLDER = folder;
  for (const name of ['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR']) delete process.env[name];
  return () => rmSync(folder, { recursive: true, force: true });
}
