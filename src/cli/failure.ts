import type { ExitName } from './exit-codes.ts';
import { EXIT_CODES } from './exit-codes.ts';

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
}

/** How a command ends when it cannot do what was asked; caught in one place, which prints it and sets the exit code. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: Exclude<ExitName, 'done'>;
  readonly hint: string | null;
  readonly details: readonly string[];
  readonly candidates: readonly Candidate[];

  constructor(code: Exclude<ExitName, 'done'>, message: string, parts: FailureParts = {}) {
    super(message);
    this.code = code;
    this.hint = parts.hint ?? null;
    this.details = parts.details ?? [];
    this.candidates = parts.candidates ?? [];
  }

  get exitCode(): number {
    return EXIT_CODES[this.code].code;
  }
}
