import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { visible } from '../../../core/text/visible.ts';
import type { PaneWish } from '../../../ports/actuator.ts';

/** Why a wish cannot be carried out as it is, or null. */
export function wishProblem({ argv, env, caller, withoutEnv, stamp }: PaneWish): string | null {
  if (argv.length === 0 || argv[0] === '') return 'there is no program to start';
  const variables = { ...caller?.values, ...env };
  const odd = [...Object.keys(variables), ...withoutEnv].find((variable) => !/^[^=]+$/.test(variable));
  if (odd !== undefined) return `not the name of a variable: "${odd}"`;
  // It stands in a pattern that tmux compares with.
  if (!/^[\w-]+$/.test(stamp.run)) return 'the word of a run has letters, digits, _ and - only';
  const texts = [
    ...argv,
    ...Object.entries(variables).flat(),
    ...withoutEnv,
    stamp.owner,
    stamp.role,
    stamp.task,
  ];
  return texts.some((text) => text?.includes('\0')) ? 'no text may hold a NUL character' : null;
}

/**
 * The variables that tmux gives the session, and so its program, with `-e`: none of them stands in a command line, which
 * every user of the machine can read.
 */
export function variableArguments(wish: PaneWish): string[] {
  const given = variablesOf(wish, wish.env).filter(([name]) => !SET_BY_TMUX.has(name));
  // The last one counts. tmux gives the first pane the PATH of its client; with -e later panes have the same one.
  const all = [...variablesOf(wish, wish.caller?.values ?? {}), ...given];
  return all.flatMap(([name, value]) => ['-e', `${name}=${value}`]);
}

/**
 * The program behind `env`, which clears variables with every tmux version and then becomes the program. More than one
 * word, so tmux executes it without a shell. A program with a = in its name would be a variable to `env`, so it stands
 * behind `nice`, which changes nothing here.
 */
export function programArguments(wish: PaneWish): string[] {
  const { argv, withoutEnv, stamp } = wish;
  const shown = variablesOf(wish, wish.env).filter(([name]) => SET_BY_TMUX.has(name));
  const variables = [...shown, ['ROLLCALL_RUN', stamp.run], ['ROLLCALL_OWNER', stamp.owner]];
  return [
    '--',
    '/usr/bin/env',
    ...withoutEnv.flatMap((name) => ['-u', name]),
    '--',
    ...variables.map(([name, value]) => `${name}=${value}`),
    ...(argv[0]?.includes('=') ? ['nice', '-n', '0', '--'] : []),
    ...argv,
  ];
}

/**
 * tmux sets these for every pane, after its session's own (3.3a), so that only `env` can: they name places and terminals,
 * and are no secrets.
 */
export const SET_BY_TMUX: ReadonlySet<string> = new Set([
  ...['PATH', 'PWD', 'SHELL', 'TERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'TMUX', 'TMUX_PANE'],
]);

const OWN: ReadonlySet<string> = new Set(['ROLLCALL_RUN', 'ROLLCALL_OWNER']);

function variablesOf({ withoutEnv }: PaneWish, values: Readonly<Record<string, string>>) {
  return Object.entries(values).filter(([name]) => !withoutEnv.includes(name) && !OWN.has(name));
}

/** Why nothing can be started in a folder, or null. tmux does not say: it silently takes another one. */
export function folderProblem(folder: string): string | null {
  const name = visible(folder, 500);
  if (!isAbsolute(folder) || folder.includes('\0')) return `not an absolute path: ${name}`;
  try {
    if (!statSync(folder).isDirectory()) return `not a folder: ${name}`;
    accessSync(folder, constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? `no such folder: ${name}` : `folder that cannot be entered: ${name} (${code})`;
  }
}
