import { closeSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryLockByte } from '../../../src/adapters/files/lock-file.ts';
import { takeLockFile } from '../../../src/adapters/lock/lock-file.ts';
import { byteOf, rootMark } from '../../../src/adapters/lock/nameless-locks.ts';
import { composeDaemonControl } from '../../../src/compose/daemon/control.ts';
import { DAEMON } from '../../../src/core/lock/subject.ts';

it('a daemon that has its lock and has not yet said who it is may be known in a moment', async () => {
  const state = mkdtempSync(join(tmpdir(), 'unnamed-'));
  const folder = join(state, 'rollcall');
  mkdirSync(join(folder, 'locks'), { recursive: true, mode: 0o700 });
  try {
    const control = await composeDaemonControl({ XDG_STATE_HOME: state, HOME: state });
    expect(control.see()).toEqual({ state: 'absent' });
    // As its file is seen by a look that had listed the folder before it was made.
    const descriptor = takeLockFile(join(folder, 'locks', 'unlisted')) ?? -1;
    tryLockByte(descriptor, byteOf(DAEMON.name, rootMark(folder) ?? ''));
    expect(control.see()).toMatchObject({ state: 'unknown', mayPass: true });
    closeSync(descriptor);
    expect(control.see()).toEqual({ state: 'absent' });
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
