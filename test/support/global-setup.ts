import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the whole run one folder for sockets, state and config, away from the user's own, and removes it at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  process.env.ROLLCALL_TEST_FOLDER = folder;
  for (const name of ['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR']) delete process.env[name];
  // Every Node that starts would read these certificates first, which takes three times as long as starting; no test needs them.
  delete process.env.NODE_EXTRA_CA_CERTS;
  return () => rmSync(folder, { recursive: true, force: true });
}
