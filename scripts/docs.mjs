// Writes the docs that are made from the code (command reference, JSON schemas); with --check it only compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { importTs } from './run-ts.mjs';

const isCheck = process.argv.includes('--check');
const { generatedDocs } = await importTs('scripts/generated-docs.ts');
let stale = 0;
for (const [path, text] of Object.entries(await generatedDocs())) {
  let current = null;
  try {
    current = readFileSync(path, 'utf8');
  } catch {
    // Not written yet.
  }
  if (current === text) continue;
  stale += 1;
  if (isCheck) console.error(`${path} is not in step with the code: run "npm run docs"`);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
process.exit(isCheck && stale > 0 ? 1 : 0);
