import { constants, fstatSync, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CheckResult } from '../../core/gate/check.ts';
import type { GitSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { uncommitted, unpushed, type WorkLack } from '../../core/verdict/work-lacks.ts';
import type { OwnTodo, TreeState } from '../../ports/gate.ts';
import { readAt, withFile } from '../files/own-file.ts';

const BOX = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ ?\]\s+(.*)$/;
const FENCE = /^\s{0,3}(?:>\s*)*(`{3,}|~{3,})/;

/** What stands behind the open boxes of a Markdown text; what is fenced as code is only shown there. */
export function openBoxes(text: string): string[] {
  const open: string[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
      continue;
    }
    const item = fence === null ? BOX.exec(line)?.[1]?.trim() : undefined;
    if (item !== undefined) open.push(item);
  }
  return open;
}

/** What a look found; when, and for which tree, the caller adds. */
export type CheckSighting = Pick<CheckResult, 'state' | 'text' | 'mark'>;

export function lookAtTree(tree: TreeState): CheckSighting {
  if (tree.state === 'unknown') return unknown(tree.text);
  return foundOf(uncommitted(tree), 'the work tree is clean');
}

export function lookAtRemotes(sighting: GitSighting | undefined): CheckSighting {
  if (sighting === undefined || sighting.state === 'none') return unknown('it is in no git repository');
  if (sighting.state === 'failed') return unknown(sighting.text);
  return foundOf(unpushed(sighting), 'every commit is on a remote');
}

export function lookForFile(cwd: string, path: string): CheckSighting {
  const shown = visible(path, 200);
  try {
    const entry = statSync(resolve(cwd, path), { throwIfNoEntry: false });
    if (entry === undefined) return unmet(`there is no ${shown}`, 'absent');
    return entry.isFile() ? met(`there is ${shown}`) : unmet(`${shown} is not a file`, 'no-file');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' ? unmet(`there is no ${shown}`, 'absent') : unknown(message);
  }
}

export function lookAtBoxes(cwd: string, path: string): CheckSighting {
  const shown = visible(path, 200);
  try {
    return left(openBoxes(readText(resolve(cwd, path))), ` in ${shown}`);
  } catch (error) {
    // What is not there lists nothing, neither as open nor as done.
    const { code, message } = error as NodeJS.ErrnoException;
    return unknown(code === 'ENOENT' ? `there is no ${shown}` : message);
  }
}

export function lookAtOwnTodo(todo: OwnTodo): CheckSighting {
  return todo.state === 'read' ? left(todo.open, '') : unknown(todo.text);
}

const SHOWN_ITEMS = 3;
const LONGEST_ITEM = 80;
const MOST_BYTES = 1024 * 1024;

function left(open: readonly string[], where: string): CheckSighting {
  if (open.length === 0) return met(`nothing is left to do${where}`);
  const first = open.slice(0, SHOWN_ITEMS).map((item) => visible(item, LONGEST_ITEM));
  const more = open.length > SHOWN_ITEMS ? [`${open.length - SHOWN_ITEMS} more`] : [];
  return unmet(`${open.length} left to do${where}: ${[...first, ...more].join('; ')}`, String(open.length));
}

/** Waits for no fifo, and reads no more than a person would write. */
function readText(path: string): string {
  return withFile(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), (file) => {
    const entry = fstatSync(file);
    if (!entry.isFile()) throw new Error(`${path} is not a file`);
    if (entry.size > MOST_BYTES) throw new Error(`${path} has more than ${MOST_BYTES} bytes`);
    return readAt(file, entry.size, 0).toString('utf8');
  });
}

function foundOf(lack: WorkLack | null, otherwise: string): CheckSighting {
  if (lack === null) return met(otherwise);
  return lack.mark === null ? unknown(lack.text) : unmet(lack.text, lack.mark);
}

export function met(text: string): CheckSighting {
  return { state: 'met', text, mark: '' };
}

export function unmet(text: string, mark: string): CheckSighting {
  return { state: 'unmet', text: visible(text, 600), mark };
}

export function unknown(text: string): CheckSighting {
  return { state: 'unknown', text: visible(text, 400), mark: '' };
}
