// Bundles the command and the library into dist/, and writes the type declarations. One bundle with lazy chunks: a plain
// `rollcall --json` loads a single small file instead of resolving a hundred modules.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({
  input: { rollcall: 'src/main.ts', index: 'src/index.ts', contract: 'src/contract/index.ts' },
  platform: 'node',
  external: ['zod', /^node:/],
  transform: { target: 'node20', define: { __ROLLCALL_VERSION__: JSON.stringify(version) } },
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunks/[name]-[hash].mjs',
  minify: false,
});
await bundle.close();
chmodSync('dist/rollcall.mjs', 0o755);

const types = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
process.exit(types.status ?? 1);
