import { wordsOfLine } from '../sight/start-command.ts';

/** The program of a command as tmux takes it: one word is a line for a shell. */
export function commandShown(command: readonly string[]): string {
  const [first = ''] = command.length === 1 ? wordsOfLine(command[0] as string) : command;
  return programShown(first);
}

/**
 * The name of a program by the first word of its command line, for text that is shown and recorded. Arguments may hold secrets
 * that look like nothing, so none is shown; neither is what stands before a program in a line (`KEY=… serve`).
 */
export function programShown(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return PLAIN.test(name) ? name : 'a command';
}

const PLAIN = /^[A-Za-z0-9_.][\w.+@-]{0,63}$/;
