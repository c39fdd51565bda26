import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Edit, Plant } from './plant.ts';

/** The source with the bug in it. A text that is not there, or there twice, is an error: the source has changed since. */
export function planted(source: string, edits: readonly Edit[]): string {
  return edits.reduce((text, edit) => {
    const count = text.split(edit.text).length - 1;
    if (count !== 1)
      throw new Error(`a planted bug finds its place ${count} times in ${edit.file}: ${edit.text}`);
    return text.replace(edit.text, () => edit.becomes);
  }, source);
}

/** Puts a planted bug into the sources while rolldown bundles them. */
export function planting({ name, edits }: Pick<Plant, 'name' | 'edits'>) {
  const left = new Set(edits.map(({ file }) => resolve(file)));
  const all = new Set(left);
  return {
    name: 'planted-bug',
    load(id: string) {
      if (!all.has(id)) return null;
      left.delete(id);
      const own = edits.filter(({ file }) => resolve(file) === id);
      return { code: planted(readFileSync(id, 'utf8'), own), moduleType: 'ts' as const };
    },
    buildEnd() {
      if (left.size > 0) throw new Error(`nothing imports ${[...left].join(', ')}, where ${name} is planted`);
    },
  };
}
