// Imports a TypeScript file of the project on any supported Node: bundles it into a folder that lives as long as the
// process, since what it imports lazily is read later.
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles `file` and returns its exports. */
export async function importTs(file) {
  const folder = mkdtempSync(resolve('node_modules', '.rollcall-ts-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    // See scripts/build.mjs.
    resolve: { mainFields: ['module', 'main'] },
    checks: { ineffectiveDynamicImport: false },
    external: ['typescript', '@photostructure/sqlite', 'fs-native-extensions', /^node:/],
    transform: { target: 'node20', define: { __ROLLCALL_VERSION__: '"dev"' } },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'entry.mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  return import(pathToFileURL(join(folder, 'entry.mjs')).href);
}
