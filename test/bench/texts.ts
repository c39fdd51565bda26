/** Where the texts of a drawing are, about: no font is known here. */
export interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const TEXT = /<text x="([\d.-]+)" y="([\d.-]+)" text-anchor="(\w+)"([^>]*)>([^<]*)<\/text>/g;
const SHARES: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 };

export function textsOf(svg: string): Box[] {
  return [...svg.matchAll(TEXT)].map(([, atX, atY, anchor = '', rest = '', text = '']) => {
    const [x, y] = [Number(atX), Number(atY)];
    const [width, height] = [text.length * (rest.includes('title') ? 9 : 6.6), 12];
    const before = (SHARES[anchor] ?? 0) * width;
    if (rest.includes('rotate'))
      return { text, left: x - height, right: x, top: y - before, bottom: y - before + width };
    return { text, left: x - before, right: x - before + width, top: y - 9, bottom: y + 3 };
  });
}

/** Pairs of texts of which one lies on the other, and texts that are cut off. */
export function flawsOf(svg: string): string[] {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
  const texts = textsOf(svg);
  const flaws: string[] = [];
  for (const [index, one] of texts.entries()) {
    if (one.left < 0 || one.right > (width ?? 0) || one.top < 0 || one.bottom > (height ?? 0))
      flaws.push(`"${one.text}" is cut off`);
    for (const other of texts.slice(index + 1)) {
      const isApart = one.right <= other.left || other.right <= one.left;
      if (!isApart && one.top < other.bottom && other.top < one.bottom)
        flaws.push(`"${one.text}" and "${other.text}" overlap`);
    }
  }
  return flaws;
}
