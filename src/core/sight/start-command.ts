import { words } from '../text/words.ts';

const SHELLS = new Set(words('sh bash zsh dash'));
// Words that run what follows them.
const CARRIERS = new Set([...SHELLS, ...words('exec command env nohup setsid nice sudo npx time')]);

const MAX_LENGTH = 4096;
/** More than the kernel takes as one word of a command line. */
const LONGEST_LINE = 256 * 1024;
// tmux (3.2 on) shows a command that it was given as one argument as one word in double quotes.
const WHOLE = /^"((?:[^"\\]|\\.)*)"?$/s;
const TOKEN =
  /(?<gap>[^\S\n]+)|(?<end>[;&|\n(){}`]+)|"(?<quoted>(?:[^"\\]|\\.)*)"?|'(?<literal>[^']*)'?|\\(?<escaped>.)|(?<plain>[^\s;&|(){}`"'\\]+)/gs;

/**
 * The command lines in a pane's start command (`sh -c "agent --flag; exec sh"`), each as words that begin with the
 * program. What stands inside quotes is a command only where a shell is told to run it. Good enough to compare exact
 * program names with; never used to run anything.
 */
export function commandsIn(startCommand: string): string[][] {
  const text = startCommand.slice(0, MAX_LENGTH);
  const whole = WHOLE.exec(text)?.[1];
  return commandsOf(whole === undefined ? text : unescaped(whole));
}

/** The words of a line that is one command, as a shell would divide them. */
export function wordsOfLine(line: string): string[] {
  return segmentsOf(line.slice(0, LONGEST_LINE)).flat();
}

function commandsOf(text: string): string[][] {
  return segmentsOf(text).flatMap(afterCarriers);
}

function afterCarriers(words: readonly string[]): string[][] {
  let carrier = '';
  let isText = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (index > 0 && word.startsWith('-')) {
      isText ||= SHELLS.has(carrier) && /^-\w*c$/.test(word);
      if (TAKES_A_WORD.get(carrier)?.includes(word)) index += 1;
      continue;
    }
    if (isText) return commandsOf(word);
    if (/^[A-Za-z_]\w*=/.test(word)) continue;
    const name = baseName(word);
    if (!CARRIERS.has(name)) return behindLock(words.slice(index));
    carrier = name;
  }
  return [];
}

const TAKES_A_WORD: ReadonlyMap<string, readonly string[]> = new Map([
  ['env', words('-u --unset -C --chdir')],
  ['nice', words('-n --adjustment')],
  ['sudo', words('-u --user -g --group')],
  ['exec', words('-a')],
]);

// `rollcall lock … -- PROGRAM`, also behind the Node that runs it, is how `rollcall run --lock` starts one.
function behindLock(words: readonly string[]): string[][] {
  const end = words.indexOf('--');
  return isLock(words) && end !== -1 ? afterCarriers(words.slice(end + 1)) : [[...words]];
}

/** Whether these words begin with `rollcall lock`. */
export function isLock(words: readonly string[]): boolean {
  return LOCK.test(words.slice(0, 3).map(baseName).join(' '));
}

const LOCK = /^(?:node\S* )?rollcall(?:\.cjs)? lock(?: |$)/;

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

// Splits at what ends a command, and each command into words, as a shell would.
function segmentsOf(text: string): string[][] {
  const segments: string[][] = [[]];
  let isInWord = false;
  for (const match of text.matchAll(TOKEN)) {
    const { gap, end, quoted, literal, escaped, plain } = match.groups as Partial<Record<string, string>>;
    const isPart = gap === undefined && end === undefined;
    const words = segments.at(-1) as string[];
    if (end !== undefined) segments.push([]);
    if (isPart) {
      const part = quoted === undefined ? [literal, escaped, plain].join('') : unescaped(quoted);
      words.push(isInWord ? `${words.pop()}${part}` : part);
    }
    isInWord = isPart;
  }
  return segments;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
