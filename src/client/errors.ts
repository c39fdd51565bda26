import type { ProblemDocument } from '../contract/http/response-schemas.ts';

/** The daemon answered, and could not do what was asked. */
export class RollcallProblem extends Error {
  override readonly name = 'RollcallProblem';
  /** The whole answer; of a close that did not come about, with its report. */
  readonly problem: ProblemDocument;

  constructor(problem: ProblemDocument) {
    super(problem.detail);
    this.problem = problem;
  }

  /** Kebab-case, stable: what a program branches on. */
  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }

  get hint(): string | null {
    return this.problem.hint;
  }
}

/** No daemon answers there, or it stopped in the middle of an answer. */
export class DaemonUnreachable extends Error {
  override readonly name = 'DaemonUnreachable';
  /** `ECONNREFUSED`, `ENOENT`, …; null where the answer was none. */
  readonly code: string | null;

  constructor(text: string, options: { readonly code?: string | null; readonly cause?: unknown } = {}) {
    super(text, { cause: options.cause });
    this.code = options.code ?? null;
  }
}
