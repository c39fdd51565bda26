/** Ends a test whose code asks its switches far more often than it did without a mutant. */
export class NeverEnds extends Error {}

/** The one place that knows which mutant is on; what is mutated asks it at every switch. */
export interface Board {
  readonly ask: (id: number) => boolean;
  /** Switches one on for so many questions; -1 is none. */
  readonly turnTo: (id: number, questions?: number) => void;
  /** Of the mutant that is on: whether it was asked for. */
  readonly wasAsked: () => boolean;
  /** How often something was asked since the last turn. */
  readonly questions: () => number;
  /** Notes which are asked for, until it is called again. */
  readonly note: () => ReadonlySet<number>;
}

/** Puts the board where mutated sources find it. */
export function layBoard(): Board {
  let [on, asked, left, given] = [-1, false, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let counted = 0;
  let noted = new Set<number>();
  const board: Board = {
    ask: (id) => {
      counted += 1;
      if (on === -1) {
        noted.add(id);
        return false;
      }
      if (--left < 0) throw new NeverEnds(`asked more than ${given} times`);
      if (id !== on) return false;
      asked = true;
      return true;
    },
    turnTo: (id, questions = Number.POSITIVE_INFINITY) => {
      [on, asked, left, given, counted] = [id, false, questions, questions, 0];
    },
    wasAsked: () => asked,
    questions: () => counted,
    note: () => {
      const before = noted;
      noted = new Set();
      return before;
    },
  };
  (globalThis as unknown as { rollcallMutants: Board }).rollcallMutants = board;
  return board;
}
