import { dirname, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vitest/config';

/**
 * Makes one piece of each test file below a folder and of all sources that it imports. Vitest asks a table for every name of another
 * module each time it is used; in code that only computes that takes a quarter of the time.
 */
export function inOnePiece(folder: string): Plugin {
  const root = `${resolve(folder)}${sep}`;
  const isWanted = (id: string) => id.startsWith(root) && id.endsWith('.test.ts');
  return {
    name: 'in-one-piece',
    enforce: 'pre',
    configureVitest({ experimental_defineCacheKeyGenerator }) {
      // It would be kept by the text of the test alone.
      experimental_defineCacheKeyGenerator(({ id }) => (isWanted(id) ? false : undefined));
    },
    async load(id) {
      if (!isWanted(id)) return null;
      const bundle = await rolldown({
        ...{ input: id, platform: 'node', logLevel: 'silent' },
        external: [/^node:/, /^[^./]/],
      });
      const { output } = await bundle.generate({
        // Traces name the sources from there.
        ...{ dir: dirname(id), format: 'esm', sourcemap: true, codeSplitting: false },
      });
      await bundle.close();
      const [{ code, map }] = output;
      return { code, map };
    },
  };
}
