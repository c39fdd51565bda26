/** A place in the sources that is changed. */
export interface Edit {
  readonly file: string;
  /** This text, which stands in the file exactly once … */
  readonly text: string;
  /** … becomes this one. */
  readonly becomes: string;
}

/** A bug that is put into the sources on purpose, to see whether the simulated world finds it. */
export interface Plant {
  readonly name: string;
  /** What it does wrong. */
  readonly sentence: string;
  /** Several where more than one guard stands in its way. */
  readonly edits: readonly Edit[];
  /** Names of the laws one of which has to be broken by it. */
  readonly breaks: readonly string[];
  /** Found only by what has to happen in the end. */
  readonly isAboutTheEnd?: true;
}
