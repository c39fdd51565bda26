import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';

/** The spool adapter in one plain module, for processes of their own. */
export class OwnProcess {
  // Below node_modules, so that the package that locks files is found.
  readonly folder = mkdtempSync(resolve('node_modules', '.rollcall-spool-'));

  static async prepare(): Promise<OwnProcess> {
    const own = new OwnProcess();
    await build({
      input: join(import.meta.dirname, '../../../src/adapters/spool/hook-log.ts'),
      platform: 'node',
      output: { file: join(own.folder, 'spool.mjs'), format: 'esm' },
      logLevel: 'silent',
    });
    return own;
  }

  /** A script that finds a `log` of the spool `args[0]`, whose payloads are their meanings. */
  #script(body: string): string {
    const path = join(this.folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(
      path,
      `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      import { createHookLog } from './spool.mjs';
      const args = process.argv.slice(2);
      const log = createHookLog({
        folder: args[0],
        translate: () => ({ payload }) => ({ conversation: null, ...payload }),
        now: () => Date.now(),
      });
      ${body}`,
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
