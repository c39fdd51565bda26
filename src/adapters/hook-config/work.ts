import { isOwnScript } from '../../core/agent/hook-command.ts';
import type { HookAction, HookAgent, HookScope } from '../../ports/hook-config.ts';
import { type AbsentFile, type ReadFile, readUserFile, type UserFile } from '../files/user-file.ts';
import type { Records } from './edit-record.ts';
import type { HookConfigOptions } from './options.ts';
import type { Places } from './places.ts';

/** One file that is to be written or removed. */
export interface Work {
  readonly file: UserFile | AbsentFile;
  readonly after: string | null;
  readonly newMode: number;
  readonly isOwn: boolean;
  /** Something of the user's is in it, so that it is kept as it was. */
  readonly isKept: boolean;
  /** The folder in which it should be; null for the script and the records, which nobody else writes to. */
  readonly base: string | null;
  /** Folders to be removed with it, as far as they are empty. */
  readonly folders: readonly string[];
}

/** What is in a file; null where there is none, or it cannot be read. */
export function textIn(file: ReadFile): string | null {
  return file.state === 'read' ? file.text : null;
}

/** The script is there as long as anything calls it. */
export function scriptWork(
  places: Places,
  options: HookConfigOptions,
  action: HookAction,
  works: readonly Work[],
  records: Records,
): { readonly state: 'planned'; readonly work: Work } | Extract<ReadFile, { state: 'wrong' }> {
  const file = readUserFile(places.script);
  if (file.state === 'wrong') return file;
  const isInstalled = works.some(({ isOwn }) => !isOwn) && action === 'install';
  const isCalled = otherFiles(places, works, records).some(mayCall);
  const left = action === 'install' || isCalled ? textIn(file) : null;
  return { state: 'planned', work: { ...SCRIPT, file, after: isInstalled ? options.script : left } };
}

const SCRIPT = { newMode: 0o755, isOwn: true, isKept: false, base: null, folders: [] };

function mayCall(path: string): boolean {
  const file = readUserFile(path);
  return file.state === 'wrong' || isOwnScript(textIn(file) ?? '');
}

function otherFiles(places: Places, works: readonly Work[], records: Records): string[] {
  const agents: readonly HookAgent[] = ['claude', 'codex', 'gemini'];
  const scopes: readonly HookScope[] = places.project === null ? ['user'] : ['user', 'project'];
  const known = agents.flatMap((agent) => scopes.map((scope) => places.fileOf(agent, scope)));
  const changed = new Set(works.map(({ file }) => file.path));
  return [...new Set([...known, ...records.keys()])].filter((path) => !changed.has(path));
}
