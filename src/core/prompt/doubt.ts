import { isSameProcess, type ProcessMark } from '../sight/identity.ts';
import type { ShellSighting } from '../sight/sighting.ts';
import type { ProcessNote } from '../verdict/evidence.ts';
import { isExplained, shapeOf } from './shape.ts';

type SeenShell = Extract<ShellSighting, { state: 'seen' }>;

/**
 * What each shell does at its prompt, measured (bash 5.2, zsh 5.9, fish 3.6): the settings that its line editor gives the
 * terminal, and what it sleeps in. While a command or a function of theirs runs the settings are the terminal's own
 * (`icanon`), and reads of single keys (`read -n 1`) leave `icrnl` and `lnext` as they were. A shell without a line editor
 * (dash) looks the same whatever it does, so it is not here.
 */
const EDITORS: Readonly<
  Record<string, { readonly settings: readonly string[]; readonly waitsIn: SeenShell['waitsIn'] }>
> = {
  bash: { settings: ['-icanon', '-echo', '-icrnl', 'lnext=<undef>'], waitsIn: 'select' },
  zsh: { settings: ['-icanon', '-echo', 'inlcr', 'lnext=<undef>'], waitsIn: 'read' },
  fish: { settings: ['-icanon', '-echo', '-icrnl', '-iexten'], waitsIn: 'select' },
};

/** Why a shell cannot be said to wait in its line editor, or null where it does. */
export function editorDoubt(program: string, shell: ShellSighting): string | null {
  const editor = EDITORS[program];
  if (editor === undefined) return 'has no line editor that tells its prompt from other input';
  if (shell.state === 'failed') return `cannot be seen at its terminal: ${shell.text}`;
  if (!shell.isInFront) return 'does not have the terminal';
  if (!shell.isAsleep) return 'is at work';
  if (editor.settings.some((one) => !shell.settings.has(one))) return 'does not wait in its line editor';
  return shell.waitsIn === editor.waitsIn ? null : 'waits for something else than a key';
}

/** A prompt that a shell was proven to have, kept for its later looks. */
export interface KnownPrompt extends ProcessMark {
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
  const isOwn = known?.program === shell.program && isSameProcess(known, shell);
  const own = isOwn ? known.shape : null;
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
