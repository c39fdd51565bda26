import { EXIT_CODES, type ExitName } from '../core/exit-codes.ts';
import { isTrouble, type Trouble } from '../engine/act/trouble.ts';

/** A session that a word may mean. */
export interface Candidate {
  readonly key: string;
  readonly name: string;
  readonly sessionId: string;
  /** Label of its server. */
  readonly server: string;
}

interface FailureParts {
  readonly hint?: string | undefined;
  /** Further findings, one per line. */
  readonly details?: readonly string[];
  readonly candidates?: readonly Candidate[];
  readonly isUnseen?: boolean;
}

/**
 * How an operation ends that cannot do what was asked. Every surface tells it in the same words: the command with the exit
 * code, HTTP with the status that belongs to it.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: Exclude<ExitName, 'done'>;
  readonly hint: string | null;
  readonly details: readonly string[];
  readonly candidates: readonly Candidate[];
  /** A server that gave no answer may hold what was asked for: asked again, there may be another answer. */
  readonly isUnseen: boolean;

  constructor(code: Exclude<ExitName, 'done'>, message: string, parts: FailureParts = {}) {
    super(message);
    this.code = code;
    this.hint = parts.hint ?? null;
    this.details = parts.details ?? [];
    this.candidates = parts.candidates ?? [];
    this.isUnseen = parts.isUnseen ?? false;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code].code;
  }
}

/** The failure for an operation that could not act. */
export function failureOf({ exit, text, hint, details }: Trouble): Failure {
  return new Failure(exit, text, { hint: hint ?? undefined, details });
}

/** The result; throws the failure where there is none. */
export function orFail<T extends object>(result: T | Trouble): T {
  if (isTrouble(result)) throw failureOf(result);
  return result;
}
