import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LAWS } from '../laws/index.ts';
import { planted } from './planting.ts';
import { PLANTS } from './plants.ts';

it.each(PLANTS.map((plant) => [plant.name, plant] as const))(
  '%s still has its place',
  (_, { edits, breaks }) => {
    for (const file of new Set(edits.map((edit) => edit.file))) {
      const source = readFileSync(file, 'utf8');
      const own = edits.filter((edit) => edit.file === file);
      expect(planted(source, own)).not.toBe(source);
    }
    const laws = LAWS.map(({ name }) => name);
    expect(breaks.filter((name) => !laws.includes(name))).toEqual([]);
  },
);
