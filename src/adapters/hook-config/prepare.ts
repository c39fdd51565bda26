import { dirname, join, relative, sep } from 'node:path';
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
import {
  type AbsentFile,
  objectionTo,
  type ReadFile,
  readUserFile,
  resolvedPath,
  type UserFile,
} from '../files/user-file.ts';
import { type CodexConfig, readCodexConfig } from './codex-review.ts';
import { type EditRecord, parseRecords, type Records } from './edit-record.ts';
import type { JsonHookAgent, WantedHooks } from './hook-agents.ts';
import { notesOn } from './hook-notes.ts';
import { type FilePlan, type Planned, planJsonFile, planPluginFile } from './json-plan.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import type { HookConfigOptions } from './options.ts';
import type { Places } from './places.ts';
import { scriptWork } from './script-work.ts';
import { textIn, type Work } from './work.ts';

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
  const script = scriptWork(places, options, action, works, after);
  if (script.state === 'wrong') problems.push(script.problem);
  else works.push(script.work);
  const changed = works.filter((work) => work.after !== textIn(work.file));
  // Without a state folder that is the user's alone there is no place for events, nor for backups.
  const isPlaceNeeded = action === 'install' || changed.some(({ isKept }) => isKept);
  if (isPlaceNeeded && options.spoolProblem !== null) problems.push(options.spoolProblem);
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
  { outcome, isKept, leftIdle = [] }: FilePlan,
  events: readonly string[],
  codex: CodexConfig,
): AgentHookChange {
  const isThere = outcome === 'installed' || outcome === 'updated' || outcome === 'already-installed';
  const notes = notesOn({ agent, scope, file, outcome, isKept, leftIdle, codex });
  return { agent, file, outcome, events: isThere ? events : [], notes };
}

function fileChange({ file, after, isOwn, isKept, base }: Work): HookFileChange {
  const { path } = file;
  return { path, before: textIn(file), after, isOwn: isOwn && !isKept, leadsTo: leadsTo(path, base) };
}

function ownNamesOf(file: UserFile | AbsentFile, folder: string): number {
  if (file.state === 'absent' || file.links === 1) return 0;
  return leftoversOf(file.path, folder).filter(({ inode }) => inode === file.inode).length;
}

function textOf(path: string): string | null {
  const file = readUserFile(path);
  return file.state === 'read' ? file.text : null;
}

/** The file that is really written, where a link below `base` leads elsewhere; null where none does. */
function leadsTo(path: string, base: string | null): string | null {
  if (base === null) return null;
  const real = resolvedPath(path);
  return real === join(resolvedPath(base), relative(base, path)) ? null : real;
}

/** Why a file of a repository is left alone: a link that somebody put there would have rollcall write outside of it. */
function objectionToLink(path: string, repository: string): HookProblem | null {
  const real = resolvedPath(path);
  if (real.startsWith(resolvedPath(repository) + sep)) return null;
  return {
    file: path,
    line: null,
    text: `a link leads out of the repository, to ${real}`,
    hint: 'if that file is meant, say --follow-links',
  };
}
