import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGitSensor, type GitSensorOptions } from '../../../src/adapters/git/git-sensor.ts';
import type { GitSighting } from '../../../src/core/sight/sighting.ts';

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

  program(path: string, script: string): string {
    this.write(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** Writes one file and commits everything. */
  commit(root: string, file: string, text: string, message = file): void {
    this.write(join(root, file), text);
    this.git(root, 'add', '-A');
    this.git(root, 'commit', '-q', '-m', message);
  }

  /** A repository with one commit on main. */
  repository(name = 'repository'): string {
    cpSync(template('repository'), this.path(name), { recursive: true });
    return this.path(name);
  }

  /** The same, pushed to a bare remote beside it. */
  pushed(name = 'repository'): string {
    cpSync(template('pushed'), this.path(name), { recursive: true });
    cpSync(template('remote'), this.path(`${name}.remote`), { recursive: true });
    const config = this.path(name, '.git/config');
    const url = JSON.stringify(this.path(`${name}.remote`));
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace(/url = .*/, () => `url = ${url}`),
    );
    return this.path(name);
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

type Template = 'repository' | 'pushed' | 'remote';
/** Made once for each worker and copied: forks are what these tests spend their time on. */
let templates: GitFixture | undefined;
function template(kind: Template): string {
  if (templates === undefined) {
    templates = new GitFixture();
    const { folder } = templates;
    const root = templates.path('repository');
    mkdirSync(root);
    templates.git(root, 'init', '-q');
    templates.commit(root, 'first.txt', numbered(30));
    templates.git(folder, 'clone', '-q', '--bare', root, 'remote');
    templates.git(folder, 'clone', '-q', templates.path('remote'), 'pushed');
  }
  return templates.path(kind);
}

function subcommandOf(args: readonly string[]): string {
  const start = args.findIndex(
    (word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(args[index - 1] ?? ''),
  );
  return args[start] ?? '';
}
