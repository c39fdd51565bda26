import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGitSensor, type GitSensorOptions } from '../../../src/adapters/git/git-sensor.ts';
import type { GitSighting } from '../../../src/core/sighting.ts';

type RepositorySighting = Extract<GitSighting, { state: 'repository' }>;

/** A folder of its own with real git in it, cut off from the config of the user and the machine. */
export class GitFixture {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** git subcommands that sensors of this fixture started. */
  readonly calls: string[] = [];
  nowAt = 1_700_000_000_000;

  constructor() {
    this.folder = realpathSync(mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'git-')));
    this.env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    };
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  git(cwd: string, ...args: string[]): string {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...who, '-c', 'init.defaultBranch=main', ...args], {
      cwd,
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Writes one file and commits everything. */
  commit(root: string, file: string, text: string, message = file): string {
    this.write(join(root, file), text);
    this.git(root, 'add', '-A');
    this.git(root, 'commit', '-q', '-m', message);
    return this.git(root, 'rev-parse', 'HEAD');
  }

  /** A repository with one commit on main. */
  repository(name = 'repository'): string {
    const root = this.path(name);
    mkdirSync(root, { recursive: true });
    this.git(root, 'init', '-q');
    this.commit(root, 'first.txt', numbered(30));
    return root;
  }

  /** The same, pushed to a bare remote beside it. */
  pushed(name = 'repository'): string {
    const root = this.repository(name);
    this.git(this.folder, 'init', '-q', '--bare', this.path(`${name}.remote`));
    this.git(root, 'remote', 'add', 'origin', this.path(`${name}.remote`));
    this.git(root, 'push', '-q', '-u', 'origin', 'main');
    this.git(root, 'remote', 'set-head', 'origin', 'main');
    return root;
  }

  sensor(options: Partial<GitSensorOptions> = {}) {
    return createGitSensor({
      env: this.env,
      now: () => this.nowAt,
      // Loaded test machines are slow; only tests of the timeout choose a short one.
      timeoutMs: 15_000,
      spawn: (command, args, spawnOptions) => {
        this.calls.push(subcommandOf(args));
        return spawn(command, args, spawnOptions);
      },
      ...options,
    });
  }

  async sense(cwd: string, options: Partial<GitSensorOptions> = {}): Promise<GitSighting> {
    const [sighting] = await this.sensor(options).sense([cwd]);
    if (sighting === undefined) throw new Error('no answer');
    return sighting;
  }

  async repositoryFacts(cwd: string): Promise<RepositorySighting> {
    const sighting = await this.sense(cwd);
    if (sighting.state !== 'repository') throw new Error(JSON.stringify(sighting));
    return sighting;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Enough lines that a change at one end is no context of a change at the other. */
export function numbered(count: number, changed: Record<number, string> = {}): string {
  return Array.from({ length: count }, (_, index) => `${changed[index] ?? `line ${index}`}\n`).join('');
}

function subcommandOf(args: readonly string[]): string {
  const start = args.findIndex(
    (word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(args[index - 1] ?? ''),
  );
  return args[start] ?? '';
}
