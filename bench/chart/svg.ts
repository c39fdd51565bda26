/** Everything that is drawn stands on a ground of its own, so it is readable wherever the picture is shown. */
const LIGHT = { ground: '#ffffff', text: '#1f2328', faint: '#59636e', grid: '#e3e7eb' };
const DARK = { ground: '#0d1117', text: '#e6edf3', faint: '#9198a1', grid: '#272d35' };
/** Colours that differ in lightness too; light and dark. */
const COLOURS = [
  ['#0550ae', '#79c0ff'],
  ['#bc4c00', '#ffa657'],
  ['#116329', '#56d364'],
  ['#8250df', '#d2a8ff'],
  ['#a40e26', '#ff7b72'],
  ['#57606a', '#b1bac4'],
] as const;

/** How many lines can be told apart by their colour. */
export const COLOUR_COUNT = COLOURS.length;

interface Word {
  readonly at: readonly [x: number, y: number];
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Classes beside those of all text, such as `faint` or `c0`. */
  readonly kind?: string;
  readonly isUpright?: boolean;
}

/** A text at a place. */
export function word(text: string, { at: [x, y], anchor = 'start', kind = '', isUpright }: Word): string {
  const turned = isUpright ? ` transform="rotate(-90 ${round(x)} ${round(y)})"` : '';
  const classes = kind === '' ? '' : ` class="${kind}"`;
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${classes}${turned}>${escaped(text)}</text>`;
}

/** A straight or bent line through these places. */
export function line(places: readonly (readonly [number, number])[], kind: string): string {
  const points = places.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
  return `<polyline points="${points}" class="${kind}"/>`;
}

/** A point; a hollow one stands for what is off the scale. */
export function dot([x, y]: readonly [number, number], kind: string): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" class="${kind}"/>`;
}

/** How wide a text of the usual size is, about: no font is known here. */
export function widthOf(text: string): number {
  return text.length * 6.9;
}

/** The whole picture; the title is read out where it cannot be seen. */
export function picture(
  title: string,
  [width, height]: readonly [number, number],
  drawn: readonly string[],
): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style(LIGHT, 0)}@media (prefers-color-scheme: dark) {${style(DARK, 1)}}</style>`,
    `<rect width="${width}" height="${height}" rx="6" class="ground"/>`,
    ...drawn,
    '</svg>',
  ].join('\n')}\n`;
}

function style(tone: typeof LIGHT, side: 0 | 1): string {
  const colours = COLOURS.map(
    (colour, index) =>
      `.l${index} { stroke: ${colour[side]} } .p${index} { fill: ${colour[side]}; stroke: ${colour[side]} } text.c${index} { fill: ${colour[side]} }`,
  );
  return `
text { font: 12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: ${tone.text} }
text.title { font-size: 15px; font-weight: 600 } text.faint { fill: ${tone.faint} }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round } circle { stroke-width: 2 }
polyline.grid { stroke: ${tone.grid}; stroke-width: 1 } polyline.lead { stroke: ${tone.faint}; stroke-width: 0.75 }
.ground { fill: ${tone.ground} } circle.off { fill: ${tone.ground} }
${colours.join('\n')}
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
