/** One value with the place where it is written; both ends are offsets into the text. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface JsonObject extends Place {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
  readonly commas: readonly number[];
}

export interface JsonArray extends Place {
  readonly kind: 'array';
  readonly elements: readonly JsonNode[];
  readonly commas: readonly number[];
}

export interface JsonScalar extends Place {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

/** From the start of the key to the end of the value. */
export interface JsonMember extends Place {
  readonly key: string;
  readonly value: JsonNode;
}

export type JsonText =
  | { readonly state: 'parsed'; readonly root: JsonNode }
  | { readonly state: 'broken'; readonly at: number; readonly text: string };

// Deeper than any settings, and far from the end of the stack.
const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = { true: true, false: false, null: null } as const;

/** Parses JSON and keeps where everything stands, so that a text can be edited without touching what is not meant. */
export function parseJsonText(text: string, options: { readonly comments: boolean }): JsonText {
  try {
    return { state: 'parsed', root: new Parser(text, options.comments).document() };
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

class Broken extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

class Parser {
  readonly #text: string;
  readonly #hasComments: boolean;
  #at = 0;

  constructor(text: string, hasComments: boolean) {
    this.#text = text;
    this.#hasComments = hasComments;
  }

  document(): JsonNode {
    if (this.#text.startsWith('\ufeff')) this.#at = 1;
    this.#blank();
    const root = this.#value(0);
    this.#blank();
    if (this.#at < this.#text.length) throw this.#broken('nothing may follow the end of the JSON');
    return root;
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.#broken('it is nested too deeply');
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#scalar(() => this.#string());
      default:
        return this.#scalar(() => this.#word());
    }
  }

  #object(depth: number): JsonObject {
    const members: JsonMember[] = [];
    const place = this.#items('}', () => {
      const start = this.#at;
      if (this.#text[start] !== '"')
        throw this.#broken(this.#unexpected('a name in double quotes must stand here'));
      const key = this.#string();
      this.#blank();
      if (this.#text[this.#at] !== ':') throw this.#broken('a colon must stand here');
      this.#at += 1;
      this.#blank();
      const value = this.#value(depth + 1);
      members.push({ key, value, start, end: value.end });
    });
    return { kind: 'object', members, ...place };
  }

  #array(depth: number): JsonArray {
    const elements: JsonNode[] = [];
    const place = this.#items(']', () => elements.push(this.#value(depth + 1)));
    return { kind: 'array', elements, ...place };
  }

  #items(closing: string, item: () => void): Place & { commas: number[] } {
    const start = this.#at;
    const commas: number[] = [];
    this.#at += 1;
    this.#blank();
    if (this.#text[this.#at] !== closing) {
      for (;;) {
        item();
        this.#blank();
        if (this.#text[this.#at] !== ',') break;
        commas.push(this.#at);
        this.#at += 1;
        this.#blank();
      }
      if (this.#text[this.#at] !== closing) throw this.#broken(`a comma or ${closing} must stand here`);
    }
    this.#at += 1;
    return { start, end: this.#at, commas };
  }

  #scalar(read: () => JsonScalar['value']): JsonScalar {
    const start = this.#at;
    const value = read();
    return { kind: 'scalar', value, start, end: this.#at };
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"' && this.#text[end] !== '\n') {
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    if (this.#text[end] !== '"') throw this.#broken('this string has no end');
    try {
      const value: unknown = JSON.parse(this.#text.slice(start, end + 1));
      this.#at = end + 1;
      return String(value);
    } catch {
      throw this.#broken('this string holds something that JSON does not allow');
    }
  }

  #word(): number | boolean | null {
    for (const [word, value] of Object.entries(WORDS)) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (found === null) throw this.#broken(this.#unexpected('this is not JSON'));
    this.#at += found[0].length;
    return Number(found[0]);
  }

  #unexpected(otherwise: string): string {
    if (this.#at >= this.#text.length) return 'the file ends too early';
    if (this.#text.startsWith('/', this.#at)) return 'the agent reads no comments in this file';
    return /[}\]]/.test(this.#text[this.#at] ?? '') ? 'there is a comma too many before this' : otherwise;
  }

  #blank(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
      if (!this.#hasComments || !this.#comment()) return;
    }
  }

  #comment(): boolean {
    const isLine = this.#text.startsWith('//', this.#at);
    if (!isLine && !this.#text.startsWith('/*', this.#at)) return false;
    const end = this.#text.indexOf(isLine ? '\n' : '*/', this.#at + 2);
    if (end < 0 && !isLine) throw this.#broken('this comment has no end');
    this.#at = end < 0 ? this.#text.length : end + (isLine ? 0 : 2);
    return true;
  }

  #broken(message: string): Broken {
    return new Broken(this.#at, message);
  }
}
