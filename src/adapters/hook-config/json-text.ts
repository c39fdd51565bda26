import { type Node, parseTree, printParseErrorCode, visit } from 'jsonc-parser';

/** One value, or one member of an object, with the place where it is written. */
export type JsonNode = Node;

/** A text that was parsed. */
export interface JsonText {
  readonly state: 'parsed';
  readonly text: string;
  readonly root: JsonNode;
  readonly commas: readonly number[];
  /** With the blanks before them. A line's end belongs to its comment. */
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

interface BrokenText {
  readonly state: 'broken';
  readonly at: number;
  readonly text: string;
}

export interface JsonMember {
  readonly key: string;
  readonly value: JsonNode;
  readonly start: number;
}

// Deeper than any settings, and far from the end of the stack.
const MAX_DEPTH = 100;

/** Parses JSON and keeps where everything stands, so that a text can be edited without touching what is not meant. */
export function parseJsonText(text: string, how: { readonly comments: boolean }): JsonText | BrokenText {
  // The parser knows no byte order mark; a blank takes as much room.
  const source = text.replace(/^\ufeff/, ' ');
  try {
    const { commas, comments } = piecesOf(source, !how.comments);
    const root = parseTree(source) as JsonNode;
    return { state: 'parsed', text, root, commas, comments };
  } catch (error) {
    if (error instanceof Broken) return { state: 'broken', at: error.at, text: error.message };
    throw error;
  }
}

/** Line and column, counted from one. */
export function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** All members of an object, doubles too; none where it is something else. */
export function membersOf(node: JsonNode | undefined): JsonMember[] {
  return (node?.type === 'object' ? (node.children ?? []) : []).flatMap(({ offset, children }) => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [{ key: key.value, value, start: offset }];
  });
}

/** The last member of that name, as JSON.parse would have it. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return membersOf(node).findLast((member) => member.key === key)?.value;
}

/** The elements of a list; none where it is something else. */
export function elementsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === 'array' ? (node.children ?? []) : [];
}

/** What a node says, without its places. */
export function plainValue(node: JsonNode | undefined): unknown {
  if (node?.type === 'array') return elementsOf(node).map(plainValue);
  if (node?.type !== 'object') return node?.value;
  return Object.fromEntries(membersOf(node).map(({ key, value }) => [key, plainValue(value)]));
}

/** Where a node ends. */
export function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

class Broken extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Goes through the text once, and stops at the first thing that an agent would not read. */
function piecesOf(text: string, disallowComments: boolean): Pick<JsonText, 'commas' | 'comments'> {
  const commas: number[] = [];
  const comments: { start: number; end: number }[] = [];
  const open: string[] = [];
  let isNameNext = false;
  const begin = (closing: string) => (at: number) => {
    if (open.push(closing) > MAX_DEPTH) throw new Broken(at, 'it is nested too deeply');
    isNameNext = closing === '}';
  };
  const end = () => {
    open.pop();
    isNameNext = false;
  };
  visit(
    text,
    {
      onObjectBegin: begin('}'),
      onObjectEnd: end,
      onArrayBegin: begin(']'),
      onArrayEnd: end,
      onObjectProperty: () => {
        isNameNext = false;
      },
      onSeparator: (character, at) => {
        if (character !== ',') return;
        commas.push(at);
        isNameNext = open.at(-1) === '}';
      },
      onComment: (at, length) => comments.push(commentAt(text, at, at + length)),
      onError: (code, at) => {
        const name = printParseErrorCode(code);
        if (name === 'CommaExpected') throw new Broken(at, `a comma or ${open.at(-1)} must stand here`);
        throw new Broken(at, MISTAKES[name] ?? unexpected(text, at, isNameNext));
      },
    },
    { disallowComments },
  );
  return { commas, comments };
}

function commentAt(text: string, from: number, to: number): { start: number; end: number } {
  let start = from;
  while (/[ \t]/.test(text[start - 1] ?? '')) start -= 1;
  const [lineEnd = ''] = text.startsWith('//', from) ? (/^\r?\n?/.exec(text.slice(to, to + 2)) ?? []) : [];
  // To the parser that is the end of the line, to agents it is not.
  if (lineEnd === '\r') throw new Broken(to, 'a comment ends here with half of a line end');
  return { start, end: to + lineEnd.length };
}

// What the parser finds, in our words.
const STRING = 'this string holds something that JSON does not allow';
const MISTAKES: Readonly<Record<string, string>> = {
  ColonExpected: 'a colon must stand here',
  CloseBraceExpected: 'a comma or } must stand here',
  CloseBracketExpected: 'a comma or ] must stand here',
  EndOfFileExpected: 'nothing may follow the end of the JSON',
  InvalidCommentToken: 'the agent reads no comments in this file',
  UnexpectedEndOfComment: 'this comment has no end',
  UnexpectedEndOfString: 'this string has no end',
  InvalidUnicode: STRING,
  InvalidEscapeCharacter: STRING,
  InvalidCharacter: STRING,
};

function unexpected(text: string, at: number, isNameNext: boolean): string {
  if (at >= text.length) return 'the file ends too early';
  if (/[}\]]/.test(text[at] ?? '')) return 'there is a comma too many before this';
  return isNameNext ? 'a name in double quotes must stand here' : 'this is not JSON';
}
