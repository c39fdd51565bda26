/** One change to a source that must make a test go red. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  /** The outermost function or value that it lies in. */
  readonly within: string;
  /** The source before and after, and which of several that read the same. */
  readonly change: string;
  /** It takes effect while the file is loaded: whoever plays it has to load the file anew. */
  readonly isStatic: boolean;
}

/** What a mutant is called among those of its file: still the same when lines move. */
export function nameIn({ within, change }: Pick<Mutant, 'within' | 'change'>): string {
  return `${within}: ${change}`;
}
