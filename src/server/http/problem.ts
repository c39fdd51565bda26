import { toDocument } from '../../contract/document.ts';
import type { ProblemDocument } from '../../contract/http/response-schemas.ts';
import type { ExitName } from '../../core/exit-codes.ts';
import type { Candidate, Failure } from '../../operations/failure.ts';

interface ProblemParts {
  readonly hint?: string | null;
  readonly details?: readonly string[];
  readonly candidates?: readonly Candidate[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly report?: ProblemDocument['report'];
  /** The rest of the connection cannot be relied on, or is not to be read. */
  readonly isLast?: boolean;
}

/** Why a request is not answered with what it asked for; caught in one place, which sends it. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly code: string;
  readonly parts: ProblemParts;

  constructor(status: number, code: string, detail: string, parts: ProblemParts = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.parts = parts;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'not understood',
  401: 'no token',
  403: 'refused',
  404: 'not found',
  405: 'not with this method',
  408: 'too slow',
  409: 'refused',
  412: 'sees otherwise',
  413: 'too large',
  414: 'too long',
  415: 'not JSON',
  421: 'not meant for this server',
  422: 'the key was used for something else',
  429: 'too many',
  431: 'headers too large',
  500: 'failed',
  503: 'not now',
  504: 'timed out',
};

/** The body of `application/problem+json`. */
export function toProblemDocument({ status, code, message, parts }: HttpProblem): ProblemDocument {
  const { hint = null, details = [], candidates = [], report } = parts;
  const { schemaVersion: _, ...problem } = toDocument({
    type: `urn:rollcall:problem:${code}`,
    title: TITLES[status] ?? 'failed',
    status,
    detail: message,
    hint,
    code,
    ...(details.length > 0 && { details }),
    ...(candidates.length > 0 && { candidates }),
    ...(report && { report }),
  });
  return problem;
}

/** What a command would say with an exit code, a route says with a status. */
const STATUSES: Readonly<Record<Exclude<ExitName, 'done'>, number>> = {
  failed: 500,
  usage: 400,
  refused: 409,
  'not-found': 404,
  ambiguous: 409,
  'timed-out': 504,
  'lock-held': 503,
  'infrastructure-failure': 503,
  'daemon-needed': 503,
};

/** What an operation could not do, as HTTP tells it. */
export function problemOf(failure: Failure, report?: ProblemDocument['report']): HttpProblem {
  const { code, message, hint, details, candidates, isUnseen } = failure;
  const status = isUnseen ? 503 : STATUSES[code];
  return new HttpProblem(status, isUnseen ? 'unseen' : code, message, {
    hint,
    details,
    candidates,
    ...(report && { report }),
    ...(status === 503 && { headers: { 'Retry-After': '1' } }),
  });
}

export function tooMany(what: string, retryAfterSeconds = 1): HttpProblem {
  return new HttpProblem(429, 'too-many', `too many ${what}`, {
    hint: 'try again a little later',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

export function badRequest(code: string, detail: string, hint: string | null = null): HttpProblem {
  return new HttpProblem(400, code, detail, { hint });
}
