import { toDocument } from '../../contract/document.ts';
import type { HooksChangeDocument } from '../../contract/document-schemas.ts';
import { Failure } from '../../operations/failure.ts';
import type { HookAction, HookAgent, HookApplied, HookConfig, HookPlan } from '../../ports/hook-config.ts';
import { askYes } from '../frame/ask.ts';
import type { Invocation } from '../frame/command.ts';
import { toggle } from '../frame/flags.ts';
import { isColor } from '../frame/is-color.ts';
import { writeJson } from '../frame/write-json.ts';
import { printLines } from '../render/line.ts';
import { agentsNamed, HOOK_AGENTS } from './agents.ts';
import { unifiedDiff } from './diff.ts';
import { outcomeLines, planLines } from './plan.ts';

/** Flags of the commands that change the agents' settings. */
export const CHANGE_FLAGS = {
  project: toggle('Only for the repository that the current folder is in, instead of for everything you do.'),
  'follow-links': toggle('With --project: write also where a link leads out of the repository.'),
  'dry-run': toggle('Show what would be written, and write nothing.'),
  yes: toggle('Do not ask. Needed where there is no terminal.', 'y'),
} as const;

/** How they end, beside what is special to one of them. */
export const CHANGE_EXITS = {
  failed: 'a file could not be written',
  usage: 'an unknown agent or flag, or no terminal to ask at and no --yes',
  refused:
    'a file cannot be edited safely (broken, read-only, hard links, a link out of the repository …), or the answer was no',
} as const;

type Done = Extract<HookApplied, { state: 'done' }>;

/** Shows what would change, asks, and writes it. */
export async function changeHooks(
  action: HookAction,
  { flags, words, surroundings }: Invocation<typeof CHANGE_FLAGS>,
): Promise<number> {
  const { stdout } = surroundings;
  const config = await surroundings.hookConfig(surroundings.cwd);
  const agents = agentsFor(action, agentsNamed(words), config);
  const plan = config.plan(action, agents, flags.project ? 'project' : 'user', flags['follow-links']);
  refuseProblems(plan);
  const isDryRun = flags['dry-run'];
  const isChange = plan.files.length > 0;
  const isAllowed = isDryRun || flags.yes || !isChange;
  if (!isAllowed && (flags.json || !surroundings.stdin.isTTY || !stdout.isTTY)) {
    throw new Failure('usage', 'nothing was changed: there is no terminal to ask on', {
      hint: 'look at it with --dry-run, then say --yes',
    });
  }
  const isColored = isColor(flags, surroundings);
  if (!flags.json) stdout.write(printLines(planLines(plan, stdout.columns), isColored));
  if (!isAllowed && !(await askYes('Write this?', surroundings))) {
    throw new Failure('refused', 'nothing was changed');
  }
  const done: Done = isDryRun ? { state: 'done', backups: [], kept: [] } : applied(config, plan);
  if (flags.json) writeJson(stdout, toChangeDocument(plan, done, isDryRun));
  else stdout.write(printLines(outcomeLines(plan, done, isDryRun, stdout.columns), isColored));
  return 0;
}

function agentsFor(
  action: HookAction,
  named: readonly HookAgent[],
  config: HookConfig,
): readonly HookAgent[] {
  if (named.length > 0) return named;
  if (action === 'remove') return HOOK_AGENTS;
  const inUse = config.inUse();
  if (inUse.length > 0) return inUse;
  throw new Failure('not-found', 'no agent was found on this machine', {
    hint: `name the ones to prepare: rollcall hooks install ${HOOK_AGENTS.join(' ')}`,
  });
}

function refuseProblems({ problems }: HookPlan): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const message = `nothing was changed: ${first.file}: ${first.text}`;
  const details = others.flatMap(({ file, text, hint }) => [`${file}: ${text}`, `  ${hint}`]);
  throw new Failure('refused', message, { hint: first.hint, details });
}

function applied(config: HookConfig, plan: HookPlan): Done {
  const result = config.apply(plan);
  if (result.state === 'done') return result;
  const { problem, written, backups, kept } = result;
  throw new Failure('failed', `${problem.file}: ${problem.text}`, {
    hint: problem.hint,
    details: [
      ...written.map((path) => `already written: ${path}`),
      ...backups.map(({ backup }) => `the file as it was: ${backup}`),
      ...kept.map(({ file, backup }) => `somebody wrote to ${file} at the same time: see ${backup}`),
    ],
  });
}

function toChangeDocument(plan: HookPlan, { backups, kept }: Done, isDryRun: boolean): HooksChangeDocument {
  const { action, scope, agents, files } = plan;
  return toDocument({
    action,
    scope,
    isDryRun,
    agents,
    files: files.map(({ path, before, after, isOwn, leadsTo }) => ({
      path,
      change:
        before === null ? ('created' as const) : after === null ? ('removed' as const) : ('changed' as const),
      isOwn,
      leadsTo,
      diff: unifiedDiff(path, before, after),
    })),
    backups,
    kept,
  });
}
