import type { ProcessNote } from './evidence.ts';
import { editorDoubt } from './line-editor.ts';
import { isExplained, shapeOf } from './prompt-shape.ts';
import type { ShellSighting } from './sighting.ts';

/** A prompt that a shell was proven to have, kept for its later looks. */
export interface KnownPrompt {
  readonly pid: number;
  readonly startTicks: number;
  readonly program: string;
  readonly shape: string;
}

/** What speaks for a line that looks like an empty prompt. */
export interface PromptClaim {
  readonly prompt: string;
  readonly shell: ProcessNote;
  readonly seen: ShellSighting;
  /** Proven by an earlier look. */
  readonly known: KnownPrompt | undefined;
}

/**
 * Why a line that looks like an empty prompt is not proven to be one: null where it is proven, `unfamiliar` where the shell
 * waits in its line editor and only nobody knows whether this is its prompt or the question of a `read -e`.
 */
export type PromptDoubt = null | 'unfamiliar' | { readonly text: string };

export function promptDoubt({ prompt, shell, seen, known }: PromptClaim): PromptDoubt {
  const doubt = editorDoubt(shell.program, seen);
  if (doubt !== null || seen.state === 'failed') {
    return { text: `${shell.program} (pid ${shell.pid}) ${doubt}` };
  }
  const own = known !== undefined && isOf(known, shell) ? known.shape : null;
  if (own === shapeOf(prompt)) return null;
  return isExplained(prompt, shell.program, seen, own !== null) ? null : 'unfamiliar';
}

export function knownPrompt(prompt: string, { pid, startTicks, program }: ProcessNote): KnownPrompt {
  return { pid, startTicks, program, shape: shapeOf(prompt) };
}

/** The one shell of a pane that may stand at its prompt: nothing runs below it. Null where there is none, or more. */
export function frontShell(processes: readonly ProcessNote[]): ProcessNote | null {
  const inside = processes.filter(({ relation }) => relation !== 'outside');
  const parents = new Set(inside.map(({ parentPid }) => parentPid));
  const [shell, ...others] = inside.filter(({ pid }) => !parents.has(pid));
  const isInFront = shell?.relation === 'root' || shell?.relation === 'foreground';
  return others.length === 0 && shell?.role === 'shell' && isInFront ? shell : null;
}

function isOf(known: KnownPrompt, { pid, startTicks, program }: ProcessNote): boolean {
  return known.pid === pid && known.startTicks === startTicks && known.program === program;
}
