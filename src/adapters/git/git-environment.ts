import { dirname } from 'node:path';
import { programPath } from '../../core/sight/program-path.ts';

// What the user chose for every git command stays; what points a single command elsewhere (GIT_DIR, GIT_INDEX_FILE,
// GIT_CONFIG_PARAMETERS …) or makes it talk (GIT_TRACE …) must not leak in from the hook or alias we were started from.
const KEPT = /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|EXEC_PATH)$/;

/**
 * The environment for looking at one work tree: no lock, no prompt, no network, no repository above the one found. `seal`
 * stands in for the repository's shared part, with a config that names no program.
 */
export function gitEnvironment(env: NodeJS.ProcessEnv, root: string, seal?: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.test(name));
  return {
    ...Object.fromEntries(kept),
    // git works in the repository's folder: there, a relative entry would find the repository's programs.
    PATH: programPath(env.PATH),
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: dirname(root),
    // A partial clone fetches missing objects on reading, through whatever program its config names. git 2.44 can be
    // told not to; older ones are stopped by a list of transports that holds none.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...(seal === undefined ? {} : { GIT_COMMON_DIR: seal }),
  };
}

/** Options before the git command that keep the user's own config from running anything but content filters. */
export function gitOptions(root: string): string[] {
  const settings = [
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.quotePath=true',
    'core.pager=cat',
    'diff.suppressBlankEmpty=false',
  ];
  const options = ['-C', root, '--no-pager', '--literal-pathspecs'];
  return [...options, ...settings.flatMap((setting) => ['-c', setting])];
}
