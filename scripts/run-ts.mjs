// Imports a TypeScript file of the project on any supported Node: bundles it into a folder that lives as long as the
// process, since what it imports lazily is read later.
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const folders = [];
const removeAll = () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

/** Bundles `file` and returns its exports. */
export async function importTs(file) {
  return import(pathToFileURL(await bundleTs(file)).href);
}

/** Bundles `file` for as long as this process lives, and returns where that is. */
export async function bundleTs(file, plugins = []) {
  const folder = mkdtempSync(resolve('node_modules', '.rollcall-ts-'));
  if (folders.length === 0) process.on('exit', removeAll);
  folders.push(folder);
  const bundle = await rolldown({
    input: file,
    plugins,
    platform: 'node',
    // See scripts/build.mjs.
    resolve: { mainFields: ['module', 'main'] },
    checks: { ineffectiveDynamicImport: false },
    external: ['typescript', 'vitest/node', '@photostructure/sqlite', 'fs-native-extensions', /^node:/],
    transform: { target: 'node20', define: { __ROLLCALL_VERSION__: '"dev"' } },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'entry.mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  return join(folder, 'entry.mjs');
}
