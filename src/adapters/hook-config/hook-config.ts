import { isDeepStrictEqual } from 'node:util';
import type { HookAgent, HookConfig, HookPlan, HookProblem } from '../../ports/hook-config.ts';
import { ChangedMeanwhile } from '../files/replace-user-file.ts';
import { carryOut } from './carry-out.ts';
import { statusOf } from './hook-status.ts';
import type { HookConfigOptions } from './options.ts';
import { findPlaces, isInUse } from './places.ts';
import { prepare } from './prepare.ts';

const AGENTS: readonly HookAgent[] = ['claude', 'codex', 'gemini', 'opencode'];

/** The hooks in the agents' own settings. */
export function createHookConfig(options: HookConfigOptions): HookConfig {
  const places = findPlaces(options.env, options.cwd);
  return {
    inUse: () => AGENTS.filter((agent) => places !== null && isInUse(agent, places, options.env)),
    plan: (action, agents, scope) => prepare(places, options, action, agents, scope).plan,
    apply(plan) {
      const agents = plan.agents.map(({ agent }) => agent);
      const prepared = prepare(places, options, plan.action, agents, plan.scope);
      const [problem = changedSince(plan, prepared.plan)] = [...plan.problems, ...prepared.plan.problems];
      if (problem !== null) return { state: 'failed', written: [], backups: [], problem };
      return carryOut(prepared, options);
    },
    status: (agents) => (places === null ? [] : statusOf(places, options, agents)),
  };
}

function changedSince(before: HookPlan, now: HookPlan): HookProblem | null {
  if (isDeepStrictEqual(before.files, now.files)) return null;
  const file =
    now.files.find((each, index) => !isDeepStrictEqual(each, before.files[index])) ?? before.files[0];
  const { message } = new ChangedMeanwhile();
  return { file: file?.path ?? '', line: null, text: message, hint: 'try again' };
}
