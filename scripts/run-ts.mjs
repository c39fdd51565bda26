// Runs a TypeScript file of the project on any supported Node: bundles it next to the other build output and imports it.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles `file` and returns its exports. */
export async function importTs(file) {
  const folder = mkdtempSync(join('node_modules', '.rollcall-ts-'));
  try {
    const bundle = await rolldown({ input: file, platform: 'node', external: ['zod', /^node:/], transform: { target: 'node20', define: { __ROLLCALL_VERSION__: '"dev"' } } });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'entry.mjs' });
    await bundle.close();
    return await import(pathToFileURL(join(process.cwd(), folder, 'entry.mjs')).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
