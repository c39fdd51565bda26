import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

const text = (path: string) => readFileSync(path, 'utf8');
// Examples are no text of the page.
const prose = (path: string) => text(path).replace(/^```.*?^```$/gms, '');

/** The names that a page's headings have in a link. */
function anchorsOf(path: string): string[] {
  return [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isLeading(page: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? page : join(dirname(page), file);
  if (!existsSync(path)) return false;
  return anchor === undefined || (statSync(path).isFile() && anchorsOf(path).includes(anchor));
}

describe('documents', () => {
  it.each(pages)('%s links only to what is there', (page) => {
    const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => !/^https?:/.test(target) && !isLeading(page, target));
    expect(broken).toEqual([]);
  });

  // Decisions speak of the day on which they were made.
  it.each(pages.filter((page) => !page.includes('decisions/')))('%s names only files that exist', (page) => {
    const named = [...prose(page).matchAll(/`((?:src|scripts|test|bench|accuracy)\/[\w./-]+)`/g)];
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('the index has every page', () => {
    const index = text('docs/README.md');
    const missing = readdirSync('docs').filter((name) => name.endsWith('.md') && !index.includes(`(${name}`));
    expect(missing).toEqual(['README.md']);
  });
});
