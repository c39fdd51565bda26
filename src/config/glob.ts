/** Whether a word is a pattern: it has `*`, `?` or a bracket that closes. Any other word is a plain name. */
export function isGlob(word: string): boolean {
  return compile(word).some((step) => step.kind !== 'exactly');
}

/**
 * Matches a whole name against `*`, `?`, `[abc]`, `[a-z]`, `[!abc]`. Time is bounded by pattern × name, whatever the
 * pattern: no regular expression is built from what a user wrote. A backslash is an ordinary character, because names
 * hold them (tmux writes control characters as `\033`); `[*]` quotes.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  const steps = compile(pattern);
  const text = Array.from(name);
  let step = 0;
  let at = 0;
  // Only the last star ever needs another try: what an earlier one could take more, the last one can take instead.
  let starStep = -1;
  let starAt = 0;
  while (at < text.length) {
    const current = steps[step];
    if (current?.kind === 'star') {
      starStep = step;
      starAt = at;
      step += 1;
    } else if (current !== undefined && accepts(current, text[at] ?? '')) {
      step += 1;
      at += 1;
    } else if (starStep >= 0) {
      starAt += 1;
      at = starAt;
      step = starStep + 1;
    } else {
      return false;
    }
  }
  while (steps[step]?.kind === 'star') step += 1;
  return step === steps.length;
}

type Range = readonly [low: number, high: number];
type Step =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'exactly'; readonly character: string }
  | { readonly kind: 'set'; readonly ranges: readonly Range[]; readonly isNegated: boolean };

function accepts(step: Step, character: string): boolean {
  switch (step.kind) {
    case 'star':
    case 'any':
      return true;
    case 'exactly':
      return step.character === character;
    case 'set': {
      const point = codePoint(character);
      return step.ranges.some(([low, high]) => low <= point && point <= high) !== step.isNegated;
    }
  }
}

function compile(pattern: string): Step[] {
  const characters = Array.from(pattern);
  const lastClose = characters.lastIndexOf(']');
  const steps: Step[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const set = character === '[' && at < lastClose ? readSet(characters, at) : null;
    if (set !== null) {
      steps.push(set.step);
      at = set.end;
    } else if (character === '*') {
      if (steps.at(-1)?.kind !== 'star') steps.push({ kind: 'star' });
    } else {
      steps.push(character === '?' ? { kind: 'any' } : { kind: 'exactly', character });
    }
  }
  return steps;
}

// A bracket that never closes is an ordinary character, as in every shell; `]` first in a set is a member of it.
function readSet(characters: readonly string[], start: number): { step: Step; end: number } | null {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const from = start + (isNegated ? 2 : 1);
  const end = characters.indexOf(']', from + 1);
  if (end < 0) return null;
  const ranges: Range[] = [];
  for (let at = from; at < end; at += 1) {
    const low = codePoint(characters[at]);
    const isRange = characters[at + 1] === '-' && at + 2 < end;
    ranges.push([low, isRange ? codePoint(characters[at + 2]) : low]);
    if (isRange) at += 2;
  }
  return { step: { kind: 'set', ranges, isNegated }, end };
}

function codePoint(character: string | undefined): number {
  return character?.codePointAt(0) ?? -1;
}
