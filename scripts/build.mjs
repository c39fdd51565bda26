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
const common = {
  platform: 'node',
  external: ['zod', /^node:/],
  transform: { target: 'node20', define: { __ROLLCALL_VERSION__: JSON.stringify(version) } },
};
// Names stay readable, so that a reported stack can be read; what goes is what the parser would have to skip.
const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } };

// The command is CommonJS: Node starts its ES module loader only when it needs it, which takes longer than the command.
const command = await rolldown({ input: { rollcall: 'src/main.ts' }, ...common });
await command.write({
  dir: 'dist',
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  minify,
});
await command.close();
chmodSync('dist/rollcall.cjs', 0o755);

const library = await rolldown({
  input: { index: 'src/index.ts', contract: 'src/contract/index.ts' },
  ...common,
});
await library.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunks/[name]-[hash].mjs',
});
await library.close();

const types = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
process.exit(types.status ?? 1);
