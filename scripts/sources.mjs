// One word for everything that a build is made from: as long as it is the same, dist/ need not be built again.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written at the end of a build that went well. */
export const BUILT_FROM = 'dist/.built-from';

export function digestOfSources() {
  const files = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    ...filesBelow('src'),
  ];
  const scripts = ['scripts/build.mjs', 'scripts/launcher.cjs', 'scripts/sources.mjs'];
  const hash = createHash('sha256').update(process.version);
  for (const file of [...files, ...scripts]) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

export function isBuilt() {
  try {
    return readFileSync(BUILT_FROM, 'utf8') === digestOfSources();
  } catch {
    return false;
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
