import type { WaitingFor } from '../../../core/verdict/verdict.ts';

// The errors that Claude Code names in `StopFailure` and in its transcript; the rest are plain errors.
const TROUBLES: ReadonlyMap<unknown, WaitingFor> = new Map<unknown, WaitingFor>([
  ['rate_limit', 'limit'],
  ['billing_error', 'limit'],
  ['authentication_failed', 'login'],
  ['oauth_org_not_allowed', 'login'],
  ['account_on_hold', 'login'],
  ['verification_required', 'login'],
  ['cloud_credential_error', 'login'],
]);

/** What an agent whose turn ended in an error waits for: time or money, a login, or someone who looks at it. */
export function troubleOf(error: unknown, text: string): WaitingFor {
  return TROUBLES.get(error) ?? (/\b(?:hit your|usage) [a-z ]{0,20}limit\b/i.test(text) ? 'limit' : 'error');
}
