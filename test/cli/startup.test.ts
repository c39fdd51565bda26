import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

let loadedAtStart: string[] = [];

beforeAll(async () => {
  loadedAtStart = await loadedBy('src/cli/frame/run-cli.ts');
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

  it('loads no package at all', () => {
    expect(loadedAtStart.filter((id) => id.includes('node_modules'))).toEqual([]);
  });

  it.each([
    ...['render/', 'watch/', 'completions/', 'help-text', 'docs.ts', 'commands/explain', 'commands/watch'],
    ...['commands/config-explain', 'commands/completions', 'commands/help', 'commands/version', '-schema'],
  ])('does not load %s', (part) => {
    expect(loadedAtStart.filter((id) => id.includes(part))).toEqual([]);
  });
});

describe('the way to a look', () => {
  it('knows what was declared by a small file, and loads no database for it', async () => {
    const loaded = await loadedBy('src/compose/look/look.ts');
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
