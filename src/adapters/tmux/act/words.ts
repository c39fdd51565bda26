import { quotedWord } from '../../../core/text/shell-word.ts';

/**
 * A word of a command that tmux parses from text. Whatever could mean something to its parser is written as octal bytes,
 * so that no text can be anything but that word.
 */
export function word(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const letter = String.fromCharCode(byte);
    return PLAIN.test(letter) ? letter : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}

/** Commands as one text, for the arguments of `if-shell`; each runs only if the one before it succeeded. */
export function commandText(commands: readonly (readonly string[])[]): string {
  return commands.map((command) => command.map(word).join(' ')).join(' ; ');
}

/**
 * The same for the input of a tmux client, whole or not at all: whoever writes it may be killed in the middle, and tmux would
 * run what it has.
 */
export function commandInput(commands: readonly (readonly string[])[]): string {
  return `%if 1\n${commandText(commands)}\n%endif\n`;
}

/** The same commands as arguments of a tmux client. */
export function commandArguments(commands: readonly (readonly string[])[]): string[] {
  return commands.flatMap((command, index) => [...(index === 0 ? [] : [';']), ...command.map(argument)]);
}

/** Text that tmux expands as a format, so that it stays what it is: names and folders are, and `#(…)` runs a shell. */
export function literal(text: string): string {
  // Since 3.2 a row of # before a bracket is left alone, also a doubled one.
  return text.replace(/(#+)(\[?)/g, (_, hashes: string, bracket: string) =>
    bracket === '' ? hashes + hashes : hashes + bracket,
  );
}

/** A word of a shell script in such a text. */
export function shellWord(text: string): string {
  return quotedWord(literal(text));
}

const PLAIN = /[A-Za-z0-9 _/.,:@+-]/;

// A client takes a semicolon at the end of an argument for the end of the command.
function argument(text: string): string {
  return text.endsWith(';') ? `${text.slice(0, -1)}\\;` : text;
}
