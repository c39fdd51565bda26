/**
 * The words of a command as tmux shows them (`#{pane_start_command}`): each escaped where it has to be, with a space
 * between them; null where it cannot have been written so.
 */
export function shownWords(text: string): readonly string[] | null {
  if (text.length > LONGEST) return null;
  const words: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [whole, quoted, single, plain] = WORD.exec(rest) ?? [];
    if (whole === undefined) return null;
    const word = unescaped((quoted ?? single ?? plain) as string);
    if (word === null) return null;
    words.push(word);
    rest = rest.slice(whole.length);
  }
  return words;
}

/** Far more than is asked of tmux; an expression keeps a note of every letter between two quotes. */
const LONGEST = 256 * 1024;

const WORD = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:[^\s"'\\]|\\.)+))(?: |$)/s;

// As vis(3) writes it, with names for the usual control characters and three octal digits for others.
function unescaped(text: string): string | null {
  let isWhole = true;
  const plain = text.replace(/\\([0-7]{3}|.)/gs, (_, code: string) => {
    if (code.length === 3) {
      const byte = Number.parseInt(code, 8);
      // A part of a character that is no UTF-8 cannot be written again as text.
      isWhole &&= byte < 128 && byte > 0;
      return String.fromCharCode(byte);
    }
    return CONTROLS[code] ?? code;
  });
  return isWhole ? plain : null;
}

const CONTROLS: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', b: '\b', a: '\u0007', v: '\v', t: '\t', f: '\f', s: ' ' },
};
