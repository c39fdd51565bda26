// Bundles the command and the library into dist/, and writes the type declarations.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { BUILT_FROM, digestOfSources } from './sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const sources = digestOfSources();
rmSync('dist', { recursive: true, force: true });
const common = {
  platform: 'node',
  checks: { ineffectiveDynamicImport: false },
  // What is written as ES modules can be taken in as such; a wrapper that calls `require` under another name cannot.
  resolve: { mainFields: ['module', 'main'] },
  external: ['@photostructure/sqlite', 'fs-native-extensions', /^node:/],
  transform: { target: 'node20', define: { __ROLLCALL_VERSION__: JSON.stringify(version) } },
};
// The command is CommonJS: Node starts its ES module loader only when it is needed. What always goes together is one part,
// because finding and reading a file takes time too; everything else is read when it is first needed.
const GROUPS = [
  { name: 'start', tags: ['$initial'] },
  { name: 'ask', test: /compose\/look\/view\.ts$|client\/ask-stand-in\.ts$/ },
  { name: 'settings', test: /cli\/frame\/read-settings\.ts$/ },
  { name: 'look', test: /compose\/look\/parts\.ts$/ },
  { name: 'stop', test: /compose\/gate\/stop\.ts$/ },
];
const command = await rolldown({ input: { main: 'src/main.ts' }, ...common });
const written = [
  await command.write({
    dir: 'dist/command',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: GROUPS.map((group, index) => ({ ...group, priority: GROUPS.length - index })) },
  }),
];
await command.close();
for (const part of readdirSync('dist/command')) makeQuickToLoad(`dist/command/${part}`);
const launcher = readFileSync('scripts/launcher.cjs', 'utf8');
writeFileSync('dist/rollcall.cjs', launcher.replace("'BUILD'", `'${sources.slice(0, 16)}'`));
chmodSync('dist/rollcall.cjs', 0o755);
writeCodeCache();

const library = await rolldown({
  input: { index: 'src/index.ts', contract: 'src/contract/index.ts', client: 'src/client/index.ts' },
  ...common,
});
written.push(
  await library.write({
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
  }),
);
await library.close();
writeLicenses();

const types = spawnSync(process.execPath, ['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
if (types.status === 0) writeFileSync(BUILT_FROM, sources);
process.exit(types.status ?? 1);

// What is bundled goes along with its licence.
function writeLicenses() {
  const modules = written.flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds));
  const packages = modules.flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  const texts = [...new Set(packages)].sort().map((name) => {
    const folder = join('node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence to go along with it`);
    const { version: bundled } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${bundled}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  writeFileSync('dist/LICENSES.txt', texts.join('\n\n'));
}

// Node's own modules are loaded where they are first used: crypto, http and fs/promises together take longer than a look
// at ten sessions, and most commands need none of them.
function makeQuickToLoad(file) {
  const load = /^let (node_\w+) = require\("(node:[\w/]+)"\);$/gm;
  const source = readFileSync(file, 'utf8');
  const names = [...source.matchAll(load)].map(([, name]) => name);
  if (names.length === 0) return writeFileSync(file, ascii(source));
  const uses = new RegExp(`(\\bnew )?\\b(${names.join('|')})\\b(\\.)?`, 'g');
  const late = source.replace(load, '').replace(uses, (use, isNew, name, dot) => {
    if (!dot) throw new Error(`${file}: ${use} is used as a whole, so it cannot be loaded late`);
    // `new load().Class()` would make a new `load`.
    return isNew ? `new (${name}()).` : `${name}().`;
  });
  const loads = [...source.matchAll(load)].map(
    ([, name, id]) => `let ${name}_;\nconst ${name} = () => (${name}_ ??= require("${id}"));\n`,
  );
  writeFileSync(file, ascii(loads.join('') + late));
}

// A file of ASCII only is read and kept as bytes; one other letter in it makes every letter take two.
function ascii(source) {
  if (source.includes('String.raw')) throw new Error('String.raw would show the escapes');
  return source.replace(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// The demo goes through everything a look needs, in folders of its own; then the stop of an agent, which waits for the
// answer, and one plain look. What they see does not matter, and where tmux is missing there is less in the cache.
function writeCodeCache() {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-build-'));
  const own = { XDG_STATE_HOME: folder, TMUX_TMPDIR: folder, TMPDIR: folder };
  const env = { ...process.env, ...own, ROLLCALL_WRITE_CODE_CACHE: `${resolve('dist/command')}/` };
  const gate = join(folder, 'rollcall', 'gate');
  mkdirSync(join(gate, 'stops'), { recursive: true, mode: 0o700 });
  const header = 'rollcall-hook=1\nagent=claude\nevent=Stop\nparent_pid=1\nTMUX=/t,1,0\nTMUX_PANE=%1';
  const payload = { hook_event_name: 'Stop', session_id: randomUUID(), stop_hook_active: false };
  writeFileSync(join(gate, 'stops', '1'), `${header}\n\n${JSON.stringify(payload)}\nend=1\n`, {
    mode: 0o600,
  });
  for (const argv of [['demo', '--json'], ['__stop', gate, '1'], ['--json']]) {
    spawnSync(process.execPath, ['dist/rollcall.cjs', ...argv], { env, stdio: 'ignore', timeout: 20_000 });
  }
  rmSync(folder, { recursive: true, force: true });
}
