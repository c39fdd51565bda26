import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from './bundle.ts';
import { removeFolder } from './remove-folder.ts';
import { SELDOM_AGAIN } from './seldom-again.ts';

/**
 * Loads `module.cjs` beside it as `loaded`, with the code that V8 compiled in the first process that kept it (`keep`): compiling
 * it anew takes longer than what most scripts do.
 */
export const LOADER = `
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const [filename, cache] = [at('module.cjs'), at('module.cache')];
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
const source = readFileSync(filename, 'utf8');
const script = new Script('(function (exports, require, module, __filename) {' + source + '\\n})', { filename, cachedData });
const loaded = {};
script.runInThisContext()(loaded, createRequire(filename), { exports: loaded }, filename);
let isKept = cachedData !== undefined;
// What is tested may have a full disk, or something in the place of the functions that write.
const keep = () => {
  if (isKept || existsSync(cache)) return;
  isKept = true;
  try {
    const own = cache + Math.random().toString(36).slice(2);
    writeFileSync(own, script.createCachedData(), { mode: 0o644 });
    renameSync(own, cache);
  } catch {}
};
`;

/** Keeps it at the end. Most scripts end by a SIGKILL of their own, so it is kept before that. */
const KEEP_AT_END = `
if (!isKept) {
  const { kill } = process;
  process.kill = (pid, signal) => {
    if (pid === process.pid && signal === 'SIGKILL') keep();
    return kill.call(process, pid, signal);
  };
  process.on('exit', keep);
}
`;

/** Source files in one plain module, for processes of their own that a test may kill. */
export class OwnProcess {
  // Below node_modules, so that packages are found.
  readonly folder = mkdtempSync(resolve('node_modules', '.rollcall-own-'));
  readonly #preamble: string;

  /** `preamble` stands before every script; it finds the module as `./module.mjs`. */
  private constructor(preamble: string) {
    this.#preamble = preamble;
  }

  static async prepare(sources: readonly string[], preamble: string): Promise<OwnProcess> {
    const own = new OwnProcess(preamble);
    const entry = join(own.folder, 'entry.ts');
    writeFileSync(entry, sources.map((path) => `export * from ${JSON.stringify(resolve(path))};\n`).join(''));
    // Small ones are compiled sooner than a cache of that is read.
    const isLarge = sources.some((path) => path.startsWith('src/compose/'));
    const names = await bundle({
      input: entry,
      file: join(own.folder, isLarge ? 'module.cjs' : 'module.mjs'),
      format: isLarge ? 'cjs' : 'esm',
      external: ['@photostructure/sqlite', 'fs-native-extensions'],
    });
    if (isLarge) {
      writeFileSync(
        join(own.folder, 'module.mjs'),
        `${LOADER}${KEEP_AT_END}export const { ${names.join(', ')} } = loaded;\n`,
      );
    }
    return own;
  }

  start(body: string, ...args: string[]): ChildProcess {
    return this.startWith(['ignore', 'inherit', 'inherit'], body, ...args);
  }

  /** How it ended: by which signal, with 0, or with what it said of its trouble. */
  async end(body: string, ...args: string[]): Promise<NodeJS.Signals | string | 0> {
    const child = this.startWith(['ignore', 'inherit', 'pipe'], body, ...args);
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return signal ?? (code === 0 ? 0 : `exit ${code}: ${said}`);
  }

  startWith(stdio: StdioOptions, body: string, ...args: string[]): ChildProcess {
    return spawn(process.execPath, [SELDOM_AGAIN, this.#script(body), ...args], { stdio });
  }

  /** Runs it after shell preparations, where `wrap` names the programs before `sh`, and returns what it prints. */
  print(wrap: readonly string[], preparation: string, body: string, ...args: string[]): string {
    const shell = `${preparation}\nexec "$0" "$@"`;
    const script = [process.execPath, this.#script(body), ...args];
    const [program = 'sh', ...words] = [...wrap, 'sh', '-ec', shell, ...script];
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** The same, where what it prints is JSON. */
  run(wrap: readonly string[], preparation: string, body: string, ...args: string[]): unknown {
    return JSON.parse(this.print(wrap, preparation, body, ...args));
  }

  remove(): void {
    removeFolder(this.folder);
  }

  #script(body: string): string {
    const path = join(this.folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(path, `const args = process.argv.slice(2);\n${this.#preamble}\n${body}\n`);
    return path;
  }
}
