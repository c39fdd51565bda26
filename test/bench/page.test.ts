import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type AllFigures, readFigures, writeFigures } from '../../bench/figures.ts';
import { FIGURES, pageFiles } from '../../bench/page.ts';
import { flawsOf } from './texts.ts';

const figures = readFigures(`docs/${FIGURES}`);
const kept = pageFiles('docs', figures);
const pageOf = (some: AllFigures) => pageFiles('docs', some)['docs/BENCHMARKS.md'] ?? '';

it('the page and its curves are in step with the figures', () => {
  for (const [path, text] of Object.entries(kept)) expect(readFileSync(path, 'utf8'), path).toBe(text);
});

it('no curve is left over', () => {
  const drawn = readdirSync('docs/bench').filter((name) => name.endsWith('.svg'));
  expect(drawn.map((name) => `docs/bench/${name}`).sort()).toEqual(
    Object.keys(kept)
      .filter((path) => path.endsWith('.svg'))
      .sort(),
  );
});

it.each(Object.keys(kept).filter((path) => path.endsWith('.svg')))('%s has no text on another', (path) => {
  expect(flawsOf(kept[path] ?? '')).toEqual([]);
});

it('a part that was measured anew changes its own section only', () => {
  const { hook, ...others } = figures;
  if (hook === undefined) throw new Error('there are no figures of the hook');
  const anew = { ...hook, on: '2031-02-03', figures: { floorMs: 2, hookMs: 3, stopMs: 4 } };
  const [before, after] = [figures, { ...others, hook: anew }].map((some) => pageOf(some).split(/^(?=## )/m));
  const changed = after?.filter((section, index) => section !== before?.[index]);
  expect(changed).toHaveLength(1);
  expect(changed?.[0]).toContain('A hook takes 3.0 ms at the median, 1.50 times');
  expect(changed?.[0]).toContain('Measured on 2031-02-03');
});

it('a part that was never measured has no section and no curve', () => {
  const { peers: _, ...others } = figures;
  expect(pageOf(others)).not.toContain('## Peers');
  expect(Object.keys(pageFiles('docs', others)).filter((path) => path.includes('peers'))).toEqual([]);
  expect(pageOf({})).toContain('## Set-up');
});

it('says of a peer that could not be had why', () => {
  const why = 'not installed: E: Unable to locate package monit';
  const taken = { on: '2031-02-03', machine: 'this', load: 0.1 };
  const peers = { rows: [], absent: [{ name: 'monit', size: null, why } as const] };
  const page = pageOf({ peers: { ...taken, figures: peers } });
  expect(page).toContain(`- monit: not measured (${why}).`);
  expect(page).toContain('Measured on 2031-02-03: this, load 0.1 before it.');
});

it('figures come back as they were kept, with five digits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'));
  try {
    const path = join(folder, FIGURES);
    expect(readFigures(path)).toEqual({});
    const taken = { on: '2031-02-03', machine: 'this', load: null };
    const hook = { floorMs: 1 / 3, hookMs: 123_456, stopMs: 4 };
    writeFigures(path, { hook: { ...taken, figures: hook } });
    expect(readFigures(path)).toEqual({ hook: { ...taken, figures: { ...hook, floorMs: 0.33333 } } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
