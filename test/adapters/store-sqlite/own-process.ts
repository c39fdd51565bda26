import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';

/** The ledger in one plain module, for processes of their own. */
export class OwnProcess {
  // Below node_modules, so that the package that brings SQLite is found.
  readonly folder = mkdtempSync(resolve('node_modules', '.rollcall-ledger-'));

  static async prepare(): Promise<OwnProcess> {
    const own = new OwnProcess();
    await build({
      input: join(import.meta.dirname, '../../../src/adapters/store-sqlite/sqlite-ledger.ts'),
      platform: 'node',
      external: ['@photostructure/sqlite'],
      output: { file: join(own.folder, 'ledger.mjs'), format: 'esm' },
      logLevel: 'silent',
    });
    return own;
  }

  /** A script that finds a `ledger` in the folder `args[0]`, and `entry(body)` to make drafts. */
  #script(body: string): string {
    const path = join(this.folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(
      path,
      `import fs from 'node:fs';
      import { openSqliteLedger } from './ledger.mjs';
      const args = process.argv.slice(2);
      const author = { host: 'machine', bootId: 'boot', actor: { kind: 'cli', pid: process.pid, user: 'ann' } };
      const ledger = await openSqliteLedger({ folder: args[0], author, now: Date.now, busyTimeoutMs: 15_000 });
      const entry = (body) => ({ kind: 'declared', action: 'hold', session: { key: 'k', name: 'n' }, body });
      ${body}`,
    );
    return path;
  }

  start(body: string, ...args: string[]): ChildProcess {
    return spawn(process.execPath, [this.#script(body), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** Runs it after shell preparations, where `wrap` names the programs before `sh`, and returns what it prints. */
  run(wrap: readonly string[], preparation: string, body: string, ...args: string[]): string {
    const shell = `${preparation}\nexec "$0" "$@"`;
    const [program = 'sh', ...words] = [
      ...wrap,
      'sh',
      '-ec',
      shell,
      process.execPath,
      this.#script(body),
      ...args,
    ];
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A mount namespace of one's own, which needs no root and goes with the process; false where the kernel refuses. */
export const PRIVATE_MOUNTS = ['unshare', '--map-root-user', '--mount'];
export const hasPrivateMounts = (() => {
  try {
    const probe = 'mount -t tmpfs none /tmp && mount -o remount,ro none /tmp';
    execFileSync('unshare', [...PRIVATE_MOUNTS.slice(1), 'sh', '-ec', probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
