import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundle } from '../../support/bundle.ts';
import { ROLLCALL } from '../../support/command.ts';

/** The lock adapter in a plain file and the built command, for processes of their own, and a state folder for them. */
export class OwnProcess {
  // Below node_modules, so that the package that locks files is found.
  readonly folder = mkdtempSync(resolve('node_modules', '.rollcall-lock-'));
  // Outside of any repository, which would be the project.
  readonly scenes = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'lock-'));
  readonly children: ChildProcess[] = [];

  static async prepare(): Promise<OwnProcess> {
    const own = new OwnProcess();
    const source = join(import.meta.dirname, '../../../src/adapters/lock');
    const entry = join(own.folder, 'entry.ts');
    writeFileSync(
      entry,
      `export { locksIn } from '${join(import.meta.dirname, 'locks-in.ts')}';
      export { createWriterLock } from '${source}/writer-lock.ts';
      export { isLocked, takeLockFile } from '${source}/lock-file.ts';`,
    );
    await bundle({
      ...{ input: entry, file: join(own.folder, 'lock.mjs'), format: 'esm' },
      external: ['fs-native-extensions'],
    });
    return own;
  }

  /** A folder that does not exist yet. */
  fresh(name: string): string {
    return join(realpathSync(mkdtempSync(join(this.scenes, 'scene-'))), name);
  }

  /** An existing folder. */
  made(name: string): string {
    const path = this.fresh(name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Starts a script that finds `locks`, `writer` and `say`, which prints one line of JSON. */
  start(lockFolder: string, body: string, ...args: string[]): Talker {
    const path = join(this.folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(
      path,
      `import fs from 'node:fs';
      import { locksIn, createWriterLock, isLocked, takeLockFile } from './lock.mjs';
      const locks = locksIn(${JSON.stringify(lockFolder)});
      const writer = createWriterLock(locks);
      const args = process.argv.slice(2);
      const say = (value) => fs.writeSync(1, JSON.stringify(value) + '\\n');
      const claim = { task: 'a task', argv: ['a', 'program'] };
      ${body}`,
    );
    return this.track(spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }));
  }

  /** Starts the command as a user would. */
  rollcall(
    argv: readonly string[],
    options: { env?: NodeJS.ProcessEnv; cwd?: string; wrap?: string[] } = {},
  ): Talker {
    const words = [...(options.wrap ?? []), ...ROLLCALL.split(' '), ...argv];
    const [program = '', ...rest] = words;
    return this.track(
      spawn(program, rest, {
        env: { ...process.env, ...options.env },
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  remove(): void {
    for (const child of this.children) child.kill('SIGKILL');
    for (const folder of [this.folder, this.scenes]) rmSync(folder, { recursive: true, force: true });
  }

  private track(child: ChildProcess): Talker {
    this.children.push(child);
    return new Talker(child);
  }
}

/** A process with what it has said so far. */
export class Talker {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
  /** With all that it said: its end may be heard of before that is read. */
  readonly closed: Promise<unknown>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // Of the process, not of its streams: what it leaves running may keep those open.
    this.ended = new Promise((done) => {
      child.on('exit', (exitCode, signal) => done({ exitCode, signal }));
    });
    this.closed = new Promise((done) => child.on('close', done));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  /** Everything it said, each line as JSON. */
  get said(): unknown[] {
    return this.lines.map((text) => JSON.parse(text));
  }
}
