import type { ShellSighting } from './sighting.ts';

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
