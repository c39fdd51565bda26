import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { FolderHost } from '../../../src/adapters/folders/folder-host.ts';
import { createStartLink, type Link } from '../../../src/adapters/folders/link.ts';

const SCRIPT = fileURLToPath(new URL('./hanging-host.mjs', import.meta.url));

describe('a host that is a real process', () => {
  const links: Link[] = [];
  const start = createStartLink([process.execPath, SCRIPT], process.env);
  afterAll(() => {
    for (const link of links) link.end();
  });

  it('answers, also while another one waits for ever', async () => {
    const host = new FolderHost(() => {
      const link = start();
      links.push(link);
      return link;
    });
    const ask = (about: string) => host.ask({ task: 'git', about, words: [about] });
    expect(await ask('a')).toBe('a');
    const dead = ask('dead').catch((error: Error) => error.message);
    const behind = ask('b');
    expect(await dead).toMatch(/gave no answer within 1 s/);
    expect(await behind).toBe('b');
    expect(await ask('c')).toBe('c');
  });
});
