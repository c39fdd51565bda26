import { dirname } from 'node:path';
import type {
  AgentHookChange,
  HookAction,
  HookAgent,
  HookFileChange,
  HookPlan,
  HookProblem,
  HookScope,
} from '../../ports/hook-config.ts';
import { leftoversOf } from '../files/leftovers.ts';
import type { AbsentFile, ReadFile, UserFile } from '../files/user-file.ts';
import { objectionTo, readUserFile } from '../files/user-file.ts';
import type { CodexConfig } from './codex-review.ts';
import { readCodexConfig } from './codex-review.ts';
import type { EditRecord } from './edit-record.ts';
import type { JsonHookAgent, WantedHooks } from './hook-agents.ts';
import { isOwnScript } from './hook-command.ts';
import { notesOn } from './hook-notes.ts';
import type { FilePlan, Planned } from './json-plan.ts';
import { planJsonFile } from './json-plan.ts';
import { leadsTo, objectionToLink } from './leads-out.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import type { HookConfigOptions } from './options.ts';
import type { Places } from './places.ts';
import { planPluginFile } from './plugin-plan.ts';
import type { Records } from './records.ts';
import { parseRecords } from './records.ts';

/** One file that is to be written or removed. */
export interface Work {
  readonly file: UserFile | AbsentFile;
  readonly after: string | null;
  readonly newMode: number;
  readonly isOwn: boolean;
  /** Something of the user's is in it, so that it is kept as it was. */
  readonly isKept: boolean;
  /** The folder in which it should be; null where links do not matter. */
  readonly base: string | null;
  /** Folders to be removed with it, as far as they are empty. */
  readonly folders: readonly string[];
}

/** A plan with everything that is needed to carry it out. */
export interface Prepared {
  readonly plan: HookPlan;
  readonly works: readonly Work[];
  readonly records: { readonly path: string; readonly file: ReadFile; readonly after: Records };
}

/** Looks at every file and works out what would become of it. */
export function prepare(
  places: Places | null,
  options: HookConfigOptions,
  action: HookAction,
  agents: readonly HookAgent[],
  scope: HookScope,
  mayFollow: boolean,
): Prepared {
  const missing =
    places === null ? NO_HOME : scope === 'project' && places.project === null ? NO_PROJECT : null;
  if (places === null || missing !== null) {
    const problems = missing === null ? [] : [{ ...missing, file: options.cwd }];
    return {
      plan: { action, scope, agents: [], files: [], problems, mayFollow },
      works: [],
      records: { path: '', file: { state: 'absent', path: '' }, after: new Map() },
    };
  }
  const kept = readUserFile(places.records);
  const known = parseRecords(kept.state === 'read' ? kept.text : null);
  const codex = readCodexConfig(textOf(places.codexConfig) ?? '');
  const after = new Map(known);
  const changes: AgentHookChange[] = [];
  const works: Work[] = [];
  const problems: HookProblem[] = [];
  for (const agent of agents) {
    const path = places.fileOf(agent, scope);
    const file = readUserFile(path);
    const record = known.get(path) ?? null;
    const planned = file.state === 'wrong' ? file : planFile(places, options, action, agent, file, record);
    if (planned.state === 'wrong' || file.state === 'wrong') {
      problems.push(planned.state === 'wrong' ? planned.problem : (file as { problem: HookProblem }).problem);
      continue;
    }
    changes.push(changeOf(agent, scope, path, planned, options.events[agent], codex));
    if (planned.record === null) after.delete(path);
    else after.set(path, planned.record);
    const base = scope === 'project' ? places.project : dirname(places.folderOf(agent));
    const work = { file, after: planned.after, newMode: scope === 'user' ? 0o600 : 0o644, base };
    const { isKept } = planned;
    works.push({ ...work, isOwn: agent === 'opencode', isKept, folders: record?.folders ?? [] });
  }
  if (action === 'install' && options.spoolProblem !== null) problems.push(options.spoolProblem);
  const script = scriptWork(places, options, action, works, after);
  if (script.state === 'wrong') problems.push(script.problem);
  else works.push(script.work);
  const changed = works.filter((work) => work.after !== textIn(work.file));
  for (const { file, base } of changed) {
    const isBound = scope === 'project' && base !== null && !mayFollow;
    const ownNames = ownNamesOf(file, options.backups.folder);
    const found = [isBound ? objectionToLink(file.path, base) : null, objectionTo(file, ownNames)];
    problems.push(...found.filter((problem) => problem !== null));
  }
  return {
    plan: { action, scope, agents: changes, files: changed.map(fileChange), problems, mayFollow },
    works: changed,
    records: { path: places.records, file: kept, after },
  };
}

const NO_HOME = { line: null, text: 'there is no home folder', hint: 'set HOME to an absolute path' };
const NO_PROJECT = {
  line: null,
  text: 'this folder is in no repository of its own',
  hint: 'go to a folder of the project, or leave --project out to install for everything you do',
};

function planFile(
  places: Places,
  options: HookConfigOptions,
  action: HookAction,
  agent: HookAgent,
  file: UserFile | AbsentFile,
  record: EditRecord | null,
): Planned {
  if (agent === 'opencode') {
    return planPluginFile(action, file, opencodePlugin(options), record);
  }
  return planJsonFile(action, file, wantedHooks(agent, places, options), record);
}

/** What the settings of an agent should have. */
export function wantedHooks(
  agent: JsonHookAgent,
  { script }: Places,
  { events, stopEvents }: HookConfigOptions,
): WantedHooks {
  return { agent, events: events[agent], stopEvent: stopEvents[agent], script };
}

function changeOf(
  agent: HookAgent,
  scope: HookScope,
  file: string,
  { outcome, isKept }: FilePlan,
  events: readonly string[],
  codex: CodexConfig,
): AgentHookChange {
  const isThere = outcome === 'installed' || outcome === 'updated' || outcome === 'already-installed';
  const notes = notesOn({ agent, scope, file, outcome, isKept, codex });
  return { agent, file, outcome, events: isThere ? events : [], notes };
}

/** The script is there as long as anything calls it. */
function scriptWork(
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

function fileChange({ file, after, isOwn, isKept, base }: Work): HookFileChange {
  const { path } = file;
  return { path, before: textIn(file), after, isOwn: isOwn && !isKept, leadsTo: leadsTo(path, base) };
}

function ownNamesOf(file: UserFile | AbsentFile, folder: string): number {
  if (file.state === 'absent' || file.links === 1) return 0;
  return leftoversOf(file.path, folder).filter(({ inode }) => inode === file.inode).length;
}

function textIn(file: UserFile | AbsentFile): string | null {
  return file.state === 'read' ? file.text : null;
}

function textOf(path: string): string | null {
  const file = readUserFile(path);
  return file.state === 'read' ? file.text : null;
}
