import { isHookOf } from '../agent/hook-command.ts';
import type { HookProcess } from './decision.ts';

/** How an agent asks. */
export interface AskingAgent {
  /** The event that ends a turn. */
  readonly event: string;
  /** It asks by itself, without a hook in between. */
  readonly asksItself?: boolean;
}

/**
 * Whether a stop comes from the hook that the agent itself started. Its tools run below it too, and what they start has its
 * environment and its conversation; but directly below the agent is their own shell then, with other words.
 */
export function isOwnHook(
  hook: HookProcess | null,
  kind: string,
  { event, asksItself = false }: AskingAgent,
): boolean {
  if (hook === null || asksItself) return hook === null && asksItself;
  return hook.stdin !== 'other' && isHookOf(hook.argv, kind, event);
}
