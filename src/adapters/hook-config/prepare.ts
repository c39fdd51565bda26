import { dirname, join, relative, sep } from 'node:path';
import type {
  AgentHookChange,
  HookAgent,
  HookFileChange,
  HookPlan,
  HookProblem,
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
import { readCodexConfig } from './codex-review.ts';
import { parseRecords, type Records } from './edit-record.ts';
import type { JsonHookAgent, WantedHooks } from './hook-agents.ts';
import { notesOn } from './hook-notes.ts';
import { planJsonFile, planPluginFile } from './json-plan.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import type { HookConfigOptions } from './options.ts';
import type { Places } from './places.ts';
import { scriptWork, textIn, type Work } from './work.ts';

/** A plan with everything that is needed to carry it out. */
export interface Prepared {
  readonly plan: HookPlan;
  readonly works: readonly Work[];
  readonly records: { readonly path: string; readonly file: ReadFile; readonly after: Records };
}

/** What is asked for. */
export type HookRequest = Pick<HookPlan, 'action' | 'scope' | 'mayFollow'> & {
  readonly agents: readonly HookAgent[];
};

/** Looks at every file and works out what would become of it. */
export function prepare(places: Places | null, options: HookConfigOptions, asked: HookRequest): Prepared {
  const { action, agents, scope, mayFollow } = asked;
  if (places === null || (scope === 'project' && places.project === null)) {
    const problems = [{ ...(places === null ? NO_HOME : NO_PROJECT), file: options.cwd }];
    return {
      plan: { action, scope, agents: [], files: [], problems, mayFollow },
      works: [],
      records: { path: '', file: { state: 'absent', path: '' }, after: new Map() },
    };
  }
  const kept = readUserFile(places.records);
  const known = parseRecords(textIn(kept));
  const codex = readCodexConfig(textIn(readUserFile(places.codexConfig)) ?? '');
  const after = new Map(known);
  const changes: AgentHookChange[] = [];
  const works: Work[] = [];
  const problems: HookProblem[] = [];
  for (const agent of agents) {
    const path = places.fileOf(agent, scope);
    const file = readUserFile(path);
    const record = known.get(path) ?? null;
    if (file.state === 'wrong') {
      problems.push(file.problem);
      continue;
    }
    const planned =
      agent === 'opencode'
        ? planPluginFile(action, file, opencodePlugin(options), record)
        : planJsonFile(action, file, wantedHooks(agent, places, options), record);
    if (planned.state === 'wrong') {
      problems.push(planned.problem);
      continue;
    }
    const { outcome } = planned;
    const events = outcome === 'removed' || outcome === 'not-installed' ? [] : options.events[agent];
    const change = { agent, file: path, outcome, events };
    changes.push({ ...change, notes: notesOn(change, planned, scope, codex) });
    if (planned.record === null) after.delete(path);
    else after.set(path, planned.record);
    const base = scope === 'project' ? places.project : dirname(places.folderOf(agent));
    works.push({
      file,
      after: planned.after,
      newMode: scope === 'user' ? 0o600 : 0o644,
      isOwn: agent === 'opencode',
      isKept: planned.isKept,
      base,
      folders: record?.folders ?? [],
    });
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

/** What the settings of an agent should have. */
export function wantedHooks(
  agent: JsonHookAgent,
  { script }: Places,
  { events, stopEvents }: HookConfigOptions,
): WantedHooks {
  return { agent, events: events[agent], stopEvent: stopEvents[agent], script };
}

function fileChange({ file, after, isOwn, isKept, base }: Work): HookFileChange {
  const { path } = file;
  return { path, before: textIn(file), after, isOwn: isOwn && !isKept, leadsTo: leadsTo(path, base) };
}

function ownNamesOf(file: UserFile | AbsentFile, folder: string): number {
  if (file.state === 'absent' || file.links === 1) return 0;
  return leftoversOf(file.path, folder).filter(({ inode }) => inode === file.inode).length;
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
