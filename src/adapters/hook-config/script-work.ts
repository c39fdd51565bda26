import { isOwnScript } from '../../core/agent/hook-command.ts';
import type { HookAction, HookAgent, HookScope } from '../../ports/hook-config.ts';
import { readUserFile } from '../files/user-file.ts';
import type { Records } from './edit-record.ts';
import type { Planned } from './json-plan.ts';
import type { HookConfigOptions } from './options.ts';
import type { Places } from './places.ts';
import { textIn, type Work } from './work.ts';

/** The script is there as long as anything calls it. */
export function scriptWork(
  places: Places,
  options: HookConfigOptions,
  action: HookAction,
  works: readonly Work[],
  records: Records,
): { readonly state: 'planned'; readonly work: Work } | Extract<Planned, { state: 'wrong' }> {
  const file = readUserFile(places.script);
  if (file.state === 'wrong') return file;
  const now = textIn(file);
  const isInstalled = works.some(({ isOwn }) => !isOwn) && action === 'install';
  const isCalled = otherFiles(places, works, records).some(mayCall);
  const after = isInstalled ? options.script : action === 'install' || isCalled ? now : null;
  return { state: 'planned', work: { ...SCRIPT, file, after } };
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
