/** A text that stood in a file, was out of its place for a moment, and was put back. Somebody may have read the file in that moment. */
export interface HiddenText {
  readonly path: string;
  /** What stood there before it. */
  readonly before: string;
  readonly after: string;
}

interface Meanwhile {
  readonly keptAs?: readonly string[];
  readonly hidden?: HiddenText;
  readonly writer?: number;
}

/** Somebody else wrote to the file. What they wrote stands in its place; where that could not be, it is in `keptAs`. */
export class ChangedMeanwhile extends Error {
  readonly keptAs: readonly string[];
  readonly hidden: HiddenText | null;

  constructor({ keptAs = [], hidden, writer }: Meanwhile = {}) {
    const what =
      writer === undefined
        ? 'it has changed since it was looked at'
        : `process ${writer} has it open for writing`;
    super(keptAs.length === 0 ? what : `${what}; what somebody wrote meanwhile is in ${keptAs.join(', ')}`);
    this.keptAs = keptAs;
    this.hidden = hidden ?? null;
  }
}
