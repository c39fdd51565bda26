import { statSync } from 'node:fs';
import type { AnsweringServer, LoginSighting, ServerScope } from '../../core/doctor/sightings.ts';
import { visible } from '../../core/text/visible.ts';
import { namesIn, textAt } from '../files/look.ts';

export interface LoginOptions {
  readonly procRoot: string;
  /** Before /etc, /run, /usr and /var. */
  readonly root: string;
  readonly user: string;
}

/** What becomes of these servers when their user logs out, as logind's own files say. Nothing is asked of the bus. */
export function readLogin(servers: readonly AnsweringServer[], options: LoginOptions): LoginSighting {
  const { root, user } = options;
  const settings = readLogindSettings(root);
  const kill = settings.get('KillUserProcesses');
  const isListed = (key: string, fallback: string) =>
    (settings.get(key)?.value ?? fallback).split(/\s+/).includes(user);
  const only = settings.get('KillOnlyUsers')?.value ?? '';
  const isSpared = isListed('KillExcludeUsers', 'root') || (only !== '' && !isListed('KillOnlyUsers', ''));
  const wanted = kill === undefined ? null : YES.includes(kill.value.toLowerCase());
  return {
    servers: servers.map((server) => scopeOf(server, options.procRoot)),
    endsAtLogout: isSpared ? false : wanted,
    source: kill === undefined ? null : visible(`${kill.value} in ${kill.file}`, 300),
    lingers: lingersIn(root, user),
    user: visible(user, 100),
  };
}

const YES: readonly string[] = ['1', 'yes', 'y', 'true', 't', 'on'];
/** Of lesser weight first, as systemd orders them. */
const FOLDERS = ['usr/lib', 'usr/local/lib', 'run', 'etc'] as const;

interface Setting {
  readonly value: string;
  readonly file: string;
}

// The main file of the weightiest folder that has one, then the drop-ins of all folders by their names: one in a
// weightier folder hides its namesake, and the last one that sets a key decides.
function readLogindSettings(root: string): Map<string, Setting> {
  const mains = FOLDERS.map((folder) => `${root}/${folder}/systemd/logind.conf`);
  const main = mains.findLast((file) => textAt(file) !== null);
  const dropIns = new Map<string, string>();
  for (const folder of FOLDERS) {
    const place = `${root}/${folder}/systemd/logind.conf.d`;
    for (const name of namesIn(place)) if (name.endsWith('.conf')) dropIns.set(name, `${place}/${name}`);
  }
  const inOrder = [...dropIns].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
  const settings = new Map<string, Setting>();
  for (const file of [...(main === undefined ? [] : [main]), ...inOrder]) {
    for (const [key, value] of pairsIn(textAt(file) ?? '')) settings.set(key, { value, file });
  }
  return settings;
}

function pairsIn(text: string): [string, string][] {
  let section = '';
  return text.split('\n').flatMap((line): [string, string][] => {
    const [, header] = /^\s*\[(.*)\]\s*$/.exec(line) ?? [];
    section = header ?? section;
    const [, key, value] = /^\s*([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return section === 'Login' && key !== undefined ? [[key, value ?? '']] : [];
  });
}

// The unit is named in the same path in every hierarchy; v1 has it in that of systemd itself.
function scopeOf({ socketPath, pid }: AnsweringServer, procRoot: string): ServerScope {
  const text = textAt(`${procRoot}/${pid}/cgroup`);
  if (text === null) return { socketPath, pid, kind: null, unit: '' };
  const units = text.split('\n').flatMap((line) => line.split(':').slice(2).join(':').split('/'));
  const login = units.find((unit) => /^session-[^/]+\.scope$/.test(unit));
  const user = units.find((unit) => /^user@\d+\.service$/.test(unit));
  if (user !== undefined) return { socketPath, pid, kind: 'user', unit: user };
  if (login !== undefined) return { socketPath, pid, kind: 'login', unit: login };
  return { socketPath, pid, kind: 'elsewhere', unit: '' };
}

// logind keeps one empty file for each user that lingers; without its folder nobody keeps any.
function lingersIn(root: string, user: string): boolean | null {
  const folder = `${root}/var/lib/systemd/linger`;
  if (exists(`${folder}/${user}`)) return true;
  return exists(`${root}/run/systemd/seats`) || exists(folder) ? false : null;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
