import { isUsual, programName } from '../sight/program.ts';
import type { OneProgram } from './one-program.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** None of their options does anything but choose what is shown. */
const VIEWERS = words('less more most tail top htop btop');
/** They edit for a person, or show through another program: some of their options run commands. */
const EDITORS = words('vi vim nvim view nano pico micro hx helix kak joe emacs man info');

// `less +!deploy` and `vim +deploy` run commands.
const VIEWS = /^(?:[^+]|\+[\dFG]*$)/;
const EDITS = /^(?:[^+-]|--$|\+\d*$|-[RMnOopd]\d*$|-nw$)/;
// A variable may name a program that is run (`MANPAGER=deploy man x`), a redirection may type into an editor or write a file.
const MORE = /[<>]|(?:^|[\s'"])[A-Za-z_]\w*=/;
/**
 * Whether a command plainly is one program that only shows or edits something for a person, so that it may run once more
 * although it may have ended. By its exact name, as tmux-resurrect does it; a program of that name in a folder of one's own
 * may do anything. `all`: the command as it was given.
 */
export function onlyShows(one: OneProgram | null, all: readonly string[]): boolean {
  const [first = '', ...more] = one?.words ?? [];
  const lead = all.join(' ').trim().replace(/\s.*$/s, '');
  if (all.some((word) => MORE.test(word)) || !isUsual(first) || !isUsual(lead)) return false;
  const name = programName(first);
  if (VIEWERS.has(name)) return more.every((word) => VIEWS.test(word));
  return EDITORS.has(name) && more.every((word) => EDITS.test(word));
}
