import type { HookAgent, HookConfig } from '../../ports/hook-config.ts';
import { apply } from './apply.ts';
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
    plan: (action, agents, scope, mayFollow = false) =>
      prepare(places, options, { action, agents, scope, mayFollow }).plan,
    apply: (plan) => apply(places, options, plan),
    status: (agents) => (places === null ? [] : statusOf(places, options, agents)),
  };
}
