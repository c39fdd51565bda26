import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

let loadedAtStart: string[] = [];

beforeAll(async () => {
  loadedAtStart = await loadedBy('src/main.ts');
});

// What the bundler puts into chunks that the entry imports statically is what every call pays for.
async function loadedBy(entry: string): Promise<string[]> {
  const bundle = await rolldown({ input: join(root, entry), platform: 'node', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const chunks = output.flatMap((part) => (part.type === 'chunk' ? [part] : []));
  const reached = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const chunk of reached) {
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) reached.add(other);
  }
  return [...reached].flatMap((chunk) => chunk.moduleIds).map((id) => relative(root, id));
}

describe('the way to `rollcall --json`', () => {
  it('loads the roll', () => {
    expect(loadedAtStart).toContain('src/cli/roll/roll.ts');
    expect(loadedAtStart).toContain('src/contract/roll-document.ts');
  });

  it('loads no package and no settings before the daemon was asked', () => {
    expect(loadedAtStart.filter((id) => id.includes('node_modules'))).toEqual([]);
    expect(loadedAtStart).toContain('src/config/config-files.ts');
    expect(loadedAtStart).not.toContain('src/config/load.ts');
  });

  it('loads of the command line only its frame and the roll, and neither renders nor describes anything', () => {
    const needed = /^src\/cli\/(frame\/|roll\/(roll|take-roll|filter-flags|filter-sessions)\.ts$)/;
    const loaded = loadedAtStart.filter((id) => id.startsWith('src/cli/'));
    expect(loaded.filter((id) => !needed.test(id))).toEqual([]);
    expect(loadedAtStart.filter((id) => /-schemas?\.ts$|^src\/schema\//.test(id))).toEqual([]);
  });

  it('loads only what describes values to read the settings', async () => {
    const loaded = await loadedBy('src/cli/frame/read-settings.ts');
    expect(loaded).toContain('src/config/settings-table.ts');
    expect(loaded.filter((id) => id.includes('node_modules'))).toEqual([
      'node_modules/valibot/dist/index.mjs',
    ]);
  });
});

describe('the way to a look', () => {
  it('knows what was declared by a small file, and loads no database for it', async () => {
    const loaded = await loadedBy('src/compose/look/parts.ts');
    expect(loaded).toContain('src/adapters/declared/declared-facts.ts');
    expect(loaded.filter((id) => /sqlite-ledger|node_modules/.test(id))).toEqual([]);
  });
});

describe('the way to an answer for an agent that stops', () => {
  it('loads no package: the agent waits for it', async () => {
    const loaded = await loadedBy('src/compose/gate/stop.ts');
    expect(loaded).toContain('src/core/gate/decide.ts');
    expect(loaded.filter((id) => id.includes('node_modules'))).toEqual([]);
  });
});
