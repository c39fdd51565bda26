import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { hasWorlds, type World } from '../laws/world.ts';
import { until } from '../support/until.ts';

const SERVER = fileURLToPath(new URL('../support/fuse-server.mjs', import.meta.url));
const NATIVE = createRequire(import.meta.url).resolve('fs-native-extensions');

/** Whether a file system of one's own (FUSE) can be mounted here. */
export const hasFuse = hasWorlds && isFuseUsable();

const REPOSITORY = {
  '.git': {
    HEAD: 'ref: refs/heads/main\n',
    config: '[core]\n\trepositoryformatversion = 0\n',
    objects: {},
    refs: { heads: {} },
  },
  'notes.txt': 'hello\n',
  // Named like what rollcall looks for among the open files of processes.
  'held.lock': '{}\n',
  'settings.json': '{}\n',
};

/** A real mount in a world, which answers until it dies. */
export class DyingMount {
  readonly project: string;
  readonly #dieFile: string;

  private constructor(project: string, dieFile: string) {
    [this.project, this.#dieFile] = [project, dieFile];
  }

  /** `cached`: the kernel keeps what it was told, and the mount dies of the first git that asks. */
  static async open(world: World, cached = false): Promise<DyingMount> {
    const place = join(world.folder, 'mount');
    mkdirSync(place);
    const dieFile = cached ? 'git' : join(world.folder, 'die');
    const tree = JSON.stringify({ project: REPOSITORY });
    const server = world.start([process.execPath, SERVER, place, dieFile, cached ? '3600' : '0', tree]);
    let told = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (text) => {
        told += text;
      });
    }
    await until(
      'the file system is mounted',
      () => told,
      (text) => text.includes('mounted'),
    );
    return new DyingMount(join(place, 'project'), dieFile);
  }

  /** A program that has files on it open for writing, and one of them locked as holders lock. */
  async keepOpen(world: World): Promise<void> {
    const script = `const { openSync } = require('node:fs');
      openSync('settings.json', 'r+');
      require(${JSON.stringify(NATIVE)}).tryLock(openSync('held.lock', 'r+'), 0, 1);
      console.log('open');
      setInterval(() => {}, 1000);`;
    const holder = world.start(['env', '-C', this.project, process.execPath, '-e', script]);
    await once(holder.stdout as Readable, 'data');
  }

  /** From now on it takes every request and answers none. */
  die(): void {
    writeFileSync(this.#dieFile, '');
  }
}

function isFuseUsable(): boolean {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    execFileSync('mount', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
