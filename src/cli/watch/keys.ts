/** What a person pressed, free of how their terminal spells it. */
export type Key =
  | { readonly name: 'text'; readonly text: string }
  | {
      readonly name:
        | 'up'
        | 'down'
        | 'page-up'
        | 'page-down'
        | 'home'
        | 'end'
        | 'enter'
        | 'escape'
        | 'backspace'
        | 'erase-line'
        | 'redraw'
        | 'interrupt';
    };

type NamedKey = Exclude<Key['name'], 'text'>;

const CONTROLS: Readonly<Record<string, NamedKey>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0003': 'interrupt',
  '\u000c': 'redraw',
  '\u000e': 'down',
  '\u0010': 'up',
  '\u0015': 'erase-line',
};

// By final letter (xterm, tmux, Linux console), or by number before `~` (VT220, rxvt).
const LETTERS: Readonly<Record<string, NamedKey>> = {
  A: 'up',
  B: 'down',
  H: 'home',
  F: 'end',
};
const NUMBERS: Readonly<Record<string, NamedKey>> = {
  1: 'home',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
};

const CSI = /\u001b\[([0-?]*)[ -/]*([@-~])/y;
const SS3 = /\u001bO([ -~])/y;
const UNFINISHED = /^\u001b(?:O|\[[0-?]*[ -/]*)?$/;
// No key has a longer sequence: whatever is longer is not a key, and waiting for its end would swallow real ones.
const LONGEST = 32;

/**
 * Turns what was typed into keys. An escape sequence may arrive in pieces, so what cannot be told yet is handed back as
 * `pending` and belongs before the next piece.
 */
export function readKeys(pending: string, typed: string): { keys: Key[]; pending: string } {
  const text = pending + typed;
  const keys: Key[] = [];
  let at = 0;
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (character !== '\u001b') {
      keys.push(...plainKey(character));
      at += character.length;
      continue;
    }
    const sequence = sequenceAt(text, at);
    if (sequence !== null) {
      keys.push(...sequence.keys);
      at += sequence.length;
      continue;
    }
    const rest = text.slice(at, at + LONGEST + 1);
    if (rest.length <= LONGEST && UNFINISHED.test(rest)) return { keys, pending: rest };
    // Escape, and then another key: nothing here is bound to Alt.
    keys.push({ name: 'escape' });
    at += 1;
  }
  return { keys, pending: '' };
}

/** What an unfinished sequence meant once nothing more came: a lone escape byte is the Escape key. */
export function flushKeys(pending: string): Key[] {
  return pending === '\u001b' ? [{ name: 'escape' }] : [];
}

function plainKey(character: string): Key[] {
  const name = CONTROLS[character];
  if (name !== undefined) return [{ name }];
  return /[\u0000-\u001f\u007f-\u009f]/.test(character) ? [] : [{ name: 'text', text: character }];
}

function sequenceAt(text: string, at: number): { keys: Key[]; length: number } | null {
  CSI.lastIndex = at;
  SS3.lastIndex = at;
  const csi = CSI.exec(text);
  if (csi !== null) {
    const [whole, parameters = '', final = ''] = csi;
    const name = final === '~' ? NUMBERS[parameters.split(';')[0] ?? ''] : LETTERS[final];
    return { keys: name === undefined ? [] : [{ name }], length: whole.length };
  }
  const ss3 = SS3.exec(text);
  if (ss3 === null) return null;
  const name = LETTERS[ss3[1] ?? ''];
  return { keys: name === undefined ? [] : [{ name }], length: ss3[0].length };
}
