import { maskWords } from '../text/mask-secrets.ts';
import { visible } from '../text/visible.ts';
import type { CheckResult, GateCheck } from './check.ts';

const LENGTH = 200;

/** A check in one line for people. */
export function checkText(check: GateCheck): string {
  return visible(said(check), LENGTH);
}

/** What is missing, in one line: the check, and what came of it. */
export function missingText(check: GateCheck, { text }: Pick<CheckResult, 'text'>): string {
  return text === '' ? checkText(check) : `${checkText(check)}: ${visible(text, LENGTH)}`;
}

function said(check: GateCheck): string {
  switch (check.kind) {
    case 'command': {
      const line = maskWords(check.argv).map(quoted).join(' ');
      return check.cwd === null ? `${line} exits 0` : `${line} exits 0 in ${check.cwd}`;
    }
    case 'clean':
      return 'the work tree is clean';
    case 'pushed':
      return 'every commit is pushed';
    case 'file':
      return `${check.path} exists`;
    case 'todo':
      return check.path === null
        ? "nothing is open on the agent's own list"
        : `no box is open in ${check.path}`;
  }
}

const PLAIN = /^[\w@%+=:,./~*?[\]{}-]+$/;

// As it could be typed again.
function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
