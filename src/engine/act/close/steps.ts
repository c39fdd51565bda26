import type { Hands } from '../hands.ts';

/** Everything that a close does and that stays done when rollcall is killed right after it. */
export const CLOSE_STEPS = [
  'archive',
  'intent',
  'type',
  'enter',
  'terminate',
  'kill',
  'remove',
  'sweep',
  'conversations',
  'receipt',
  'outcome',
] as const;

/** The same of a hibernation. */
export const HIBERNATE_STEPS = [
  'archive',
  'intent',
  'hold-pane',
  'type',
  'enter',
  'terminate',
  'sleep',
  'sweep',
  'conversations',
  'receipt',
  'outcome',
] as const;

export type CloseStep = (typeof CLOSE_STEPS)[number] | (typeof HIBERNATE_STEPS)[number];

/** Does one lasting step and lets a test stop the process around it. */
export type DoStep = <T>(name: CloseStep, work: () => T | Promise<T>) => Promise<T>;

export function stepsOf({ onStep }: Hands): DoStep {
  return async (name, work) => {
    onStep?.(name, 'before');
    const result = await work();
    onStep?.(name, 'after');
    return result;
  };
}
