import { CLAIMS, type Claims } from '../../core/ledger/current-facts.ts';
import { Failure } from '../../operations/failure.ts';
import { word } from '../frame/flags.ts';

/** What a session works on and for whom; `run` and `adopt` record it. */
export const CLAIM_FLAGS = {
  role: word('ROLE', 'Its role; config says how sessions of a role are treated.'),
  task: word('TASK', 'What it works on.'),
  owner: word('OWNER', 'Whom it works for.'),
  branch: word('BRANCH', 'The branch it works on.'),
  worktree: word('DIR', 'The worktree it works in.', { isFile: true }),
  pr: word('PR', 'The pull request it belongs to.'),
} as const;

const LONGEST_CLAIM = 500;

/** The claims that were given; those that were not stay as they are. */
export function claimsIn(flags: { readonly [C in keyof Claims]: string | undefined }): {
  readonly [C in keyof Claims]?: string;
} {
  const given = CLAIMS.flatMap((claim) => {
    const text = flags[claim];
    if (text === undefined) return [];
    if (text.length > LONGEST_CLAIM) {
      throw new Failure('usage', `--${claim} is too long`, {
        hint: `write at most ${LONGEST_CLAIM} characters`,
      });
    }
    return [[claim, text] as const];
  });
  return Object.fromEntries(given);
}
