import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';

/** The state adapter in one plain module, for processes of their own. */
export class OwnProcess {
  readonly folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'state-process-'));

  static async prepare(): Promise<OwnProcess> {
    const own = new OwnProcess();
    const entry = join(own.folder, 'entry.ts');
    const from = (name: string) =>
      JSON.stringify(join(import.meta.dirname, '../../../src/adapters/state', name));
    writeFileSync(
      entry,
      `export * from ${from('json-file.ts')};\nexport * from ${from('state-folder.ts')};\n`,
    );
    await build({
      input: entry,
      platform: 'node',
      output: { file: join(own.folder, 'state.mjs'), format: 'esm' },
      logLevel: 'silent',
    });
    return own;
  }

  /** A script that finds the adapter's exports as `state` and its arguments in `args`. */
  #script(body: string): string {
    const path = join(this.folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(
      path,
      `import * as state from './state.mjs';\nconst args = process.argv.slice(2);\n${body}\n`,
    );
    return path;
  }

  start(body: string, ...args: string[]): ChildProcess {
    return spawn(process.execPath, [this.#script(body), ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  /** Runs it after shell preparations, where `wrap` names the programs before `sh`, and returns the JSON it prints. */
  run(wrap: readonly string[], preparation: string, body: string, ...args: string[]): unknown {
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
    return JSON.parse(execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
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
