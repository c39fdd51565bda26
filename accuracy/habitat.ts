import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MARK } from './marked-processes.ts';
import type { Habitat, Specimen, Variant } from './specimens/specimen.ts';

/** Where things are for one run. */
export interface Ground {
  /** The run's own temporary folder. */
  readonly folder: string;
  readonly cache: string;
  readonly modelUrl: string;
  readonly nonce: string;
}

export interface Dwelling extends Habitat {
  readonly folder: string;
  readonly scratch: string;
  readonly env: NodeJS.ProcessEnv;
}

// Both sleep, then leave a file where they are told to. One of them says something every second.
const QUIET = '#!/bin/sh\nsleep "$1"\n[ -z "$2" ] || : > "$2"\n';
const NOISY = '#!/bin/sh\ni=0\nwhile [ $i -lt "$1" ]; do i=$((i+1)); echo "line $i"; sleep 1; done\n';

const declaring = () =>
  `#!/bin/sh\nexec ${process.execPath} ${resolve('dist/rollcall.cjs')} complete --evidence 'said from inside'\n`;

/** Makes a home, a clean repository and an environment in which nothing of the user's shows through. */
export function settle(name: string, specimen: Specimen, variant: Variant, ground: Ground): Dwelling {
  const folder = join(ground.folder, name);
  const at = (...parts: string[]) => join(folder, ...parts);
  for (const part of ['home', 'work', 'strange', 'bin', 'tmp', 'state'])
    mkdirSync(at(part), { recursive: true });
  const program = (path: string, text: string) => {
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  };
  const habitat: Habitat = {
    home: at('home'),
    work: at('work'),
    strange: at('strange'),
    quiet: program(at('bin', 'quiet'), QUIET),
    noisy: program(at('bin', 'noisy'), NOISY),
    declaring: program(at('bin', 'declaring'), declaring()),
    modelUrl: ground.modelUrl,
    cache: ground.cache,
  };
  const path = [join(ground.cache, specimen.kind, 'node_modules', '.bin'), dirname(process.execPath)];
  const env = {
    PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: habitat.home,
    XDG_CONFIG_HOME: at('home', '.config'),
    XDG_DATA_HOME: at('home', '.local', 'share'),
    XDG_CACHE_HOME: at('home', '.cache'),
    XDG_STATE_HOME: at('state'),
    TMPDIR: at('tmp'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: '/bin/bash',
    GIT_CONFIG_NOSYSTEM: '1',
    DO_NOT_TRACK: '1',
    [MARK]: ground.nonce,
    ...specimen.env(habitat),
  };
  specimen.seed(habitat, variant);
  for (const folder of [habitat.work, habitat.strange]) makeRepository(folder, env);
  return { ...habitat, folder, scratch: at('tmp'), env };
}

function makeRepository(cwd: string, env: NodeJS.ProcessEnv): void {
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.invalid', ...argv], {
      cwd,
      env,
      stdio: 'ignore',
    });
  git('init', '-q');
  writeFileSync(join(cwd, 'README.md'), 'Nothing to see.\n');
  git('add', '.');
  git('commit', '-qm', 'First');
}
