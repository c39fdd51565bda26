import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { findProjectFile, readConfigText } from './read-config-file.ts';

/** Where files with settings are looked for. */
export interface ConfigPlace {
  /** Value of `--config`. */
  readonly path?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** A file that was asked, and what led to it. */
export interface ConfigFileNote {
  readonly path: string;
  readonly via: '--config' | '$ROLLCALL_CONFIG' | 'user' | 'project';
  readonly isPresent: boolean;
}

type OwnFile = Omit<ConfigFileNote, 'isPresent'>;

/** The user's file, and that of the project in which the command runs. */
export function configFiles(place: ConfigPlace): { readonly own: OwnFile; readonly project: string | null } {
  const home = place.env.HOME || homedir();
  const own = ownFile(place, home);
  const project = findProjectFile(place.cwd, home);
  return { own, project: project === own.path ? null : project };
}

/** What all files say, letter by letter, without understanding it; null where one of them cannot be read. */
export function writtenConfig(place: ConfigPlace): string | null {
  const { own, project } = configFiles(place);
  const file = readConfigText(own.path);
  const other = project === null ? null : readConfigText(project, true);
  // Only the usual file of the user may be missing.
  if (file.state !== 'read' && !(file.state === 'absent' && own.via === 'user')) return null;
  if (other !== null && other.state !== 'read') return null;
  return writtenIn(file.state === 'read' ? file.text : null, other?.text ?? null);
}

/** The same of texts that were read: of the user's file, and of the project's. */
export function writtenIn(own: string | null, project: string | null): string {
  return JSON.stringify([own, project]);
}

function ownFile({ path, env, cwd }: ConfigPlace, home: string): OwnFile {
  if (path !== undefined) return { path: resolve(cwd, path), via: '--config' };
  const named = env.ROLLCALL_CONFIG;
  if (named) return { path: resolve(cwd, named), via: '$ROLLCALL_CONFIG' };
  const xdg = env.XDG_CONFIG_HOME;
  // The XDG specification has relative paths ignored.
  const folder = xdg && isAbsolute(xdg) ? xdg : join(home, '.config');
  return { path: join(folder, 'rollcall', 'config.json'), via: 'user' };
}
