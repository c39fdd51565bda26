import { basename, join } from 'node:path';
import { curves } from './curves.ts';
import type { AllFigures, Measured, PartName, Taken } from './figures.ts';
import { peersSection } from './peers/section.ts';
import {
  daemonSection,
  doctorSection,
  gateSection,
  guardSection,
  hookSection,
  looksSection,
} from './report.ts';

/** Where the figures are kept, the page, and the curves on it. */
export const FIGURES = 'bench/figures.json';
const PAGE = 'BENCHMARKS.md';
const CURVES = 'bench';

type Sections = { readonly [K in PartName]: (figures: Measured[K]) => string };

/** The parts in the order of the page. */
const SECTIONS: Sections = {
  looks: looksSection,
  hook: hookSection,
  gate: gateSection,
  guard: guardSection,
  daemon: daemonSection,
  peers: peersSection,
  doctor: doctorSection,
};

/** Everything that is made from the figures, below a folder: path → text. */
export function pageFiles(folder: string, figures: AllFigures): Record<string, string> {
  const drawn = curves(figures);
  const pictures = (part: PartName) =>
    drawn
      .filter((curve) => curve.part === part)
      .map(({ name, title }) => `\n\n![${title}](${CURVES}/${name}.svg)`)
      .join('');
  const sections = (Object.keys(SECTIONS) as PartName[]).map((part) => {
    const text = sectionOf(part, figures);
    return text === null ? '' : `${text}${pictures(part)}\n\n`;
  });
  const files: Record<string, string> = { [join(folder, PAGE)]: `${sections.join('')}${SET_UP}` };
  for (const { name, svg } of drawn) files[join(folder, CURVES, `${basename(name)}.svg`)] = svg;
  return files;
}

function sectionOf<K extends PartName>(part: K, figures: AllFigures): string | null {
  const taken = figures[part] as Taken<Measured[K]> | undefined;
  if (taken === undefined) return null;
  const { on, machine, load } = taken;
  const busy = load === null ? '' : `, load ${load.toFixed(1)} before it`;
  return `${SECTIONS[part](taken.figures)}\n\nMeasured on ${on}: ${machine}${busy}.`;
}

const SET_UP = `## Set-up

Every session runs a shell with a program named like an agent under it, on a private tmux server.
\`npm run bench -- --help\` lists the parts. The figures are kept in [bench/figures.json](bench/figures.json), from which this page and its
curves are made. Where values span decades an axis is logarithmic, and says so; a hollow point lies below it.
`;
