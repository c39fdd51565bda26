import { documentText, readKept } from '../../../src/core/close/kept-document.ts';
import { type Digests, DOCUMENT, VARIABLES } from '../../../src/core/close/seal.ts';
import { parseStart, startText } from '../../../src/core/sight/start.ts';
import type { Archive, Archived } from '../../../src/ports/archive.ts';
import type { Install } from '../machine/install.ts';
import { digest } from './digest.ts';
import type { Seat } from './seat.ts';

type Files = Map<string, string>;

const MOST_LATER = 9;
const archives = new WeakMap<Install, Map<string, Files>>();

/** The archives of an install, by id: files by name, as the real one has them. */
export function archivesOf(install: Install): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return kept(install);
}

/** Where closed sessions are kept. */
export function archive(seat: Seat): Archive {
  const { install, machine } = seat;
  const all = kept(install);
  const objection = (): Archived | null => {
    const text = install.objection() ?? (seat.fault('archive') === null ? null : 'it cannot be written');
    return text === null
      ? null
      : { state: 'failed', text, hint: 'nothing is closed that could not be archived' };
  };
  return {
    write(id, { document, histories, start }) {
      seat.step();
      const failed = objection();
      if (failed !== null) return failed;
      if (all.has(id))
        return { state: 'failed', text: 'there is one of that name', hint: 'nothing is written over' };
      const files: Files = new Map([[DOCUMENT, documentText(document)]]);
      if (start !== undefined) files.set(VARIABLES, startText(start, 'salt'));
      for (const [paneId, text] of histories) files.set(nameOf(paneId, 0), text);
      all.set(id, files);
      machine.journal.note(seat.by, { what: 'archived', install: install.name, id });
      return { state: 'written', path: `archive/${id}`, digests: digestsOf(files) };
    },
    read(id) {
      seat.step();
      const path = `archive/${id}`;
      const text = all.get(id)?.get(DOCUMENT);
      if (text === undefined) return { state: 'absent', path };
      if (install.disk === 'failing') return { state: 'failed', path, text: 'input/output error' };
      return { state: 'read', path, document: readKept(JSON.parse(text)), digest: digest(text) };
    },
    start(id) {
      const text = all.get(id)?.get(VARIABLES);
      if (text === undefined) return { state: 'absent' };
      const start = parseStart(text);
      return start === null
        ? { state: 'failed', text: 'it is not whole' }
        : { state: 'read', start, digest: digest(text) };
    },
    screens: (id, paneId) =>
      [...(all.get(id) ?? [])]
        .filter(([name]) => name.startsWith(`pane-${paneId.slice(1)}.`))
        .map(([, text]) => text),
    add(id, paneId, text) {
      seat.step();
      const files = all.get(id);
      const failed = objection();
      if (failed !== null) return failed;
      const at = Array.from({ length: MOST_LATER }, (_, index) => nameOf(paneId, index + 1)).find(
        (name) => !files?.has(name),
      );
      if (files === undefined || at === undefined)
        return { state: 'failed', text: 'enough is kept of it', hint: '' };
      files.set(at, text);
      return { state: 'written', path: `archive/${id}/${at}`, digests: digestsOf([[at, text]]) };
    },
    differences(id, digests) {
      const files = all.get(id);
      if (files === undefined) return null;
      return Object.keys(digests).filter((name) => digests[name] !== digest(files.get(name) ?? ''));
    },
  };
}

function kept(install: Install): Map<string, Files> {
  const known = archives.get(install) ?? new Map<string, Files>();
  archives.set(install, known);
  return known;
}

function nameOf(paneId: string, later: number): string {
  return `pane-${paneId.slice(1)}.${later}.txt`;
}

function digestsOf(files: Iterable<readonly [string, string]>): Digests {
  return Object.fromEntries([...files].map(([name, text]) => [name, digest(text)]));
}
