import type { SessionEntry } from '../roll.ts';
import { visible } from '../visible.ts';
import type { Finding } from './finding.ts';

/** A session as people know it: its name, and on which server. */
export function titleOf({ name, server }: Pick<SessionEntry, 'name' | 'server'>): string {
  return `${visible(name, 80)} (${visible(server.label, 40)})`;
}

/** Which session a finding is about, and what it holds. */
export function aboutSession({
  key,
  memoryBytes,
}: SessionEntry): Pick<Finding, 'session'> & Pick<Finding, 'memoryBytes'> {
  return { session: key, ...(memoryBytes !== null && { memoryBytes }) };
}

/**
 * Closing is offered only where the roll proves that the session may go and nothing at all protects it: a session that
 * rollcall neither started nor adopted is protected by that alone.
 */
export function closingOf({
  key,
  lifecycle,
  protections,
}: SessionEntry): Pick<Finding, 'remedy'> & Pick<Finding, 'advice'> {
  if (lifecycle === 'safe-to-close' && protections.length === 0) {
    return {
      remedy: { kind: 'close-session', key },
      advice: [
        'look again; whatever has changed since stops it',
        'archive it, record the intent, close it by the usual steps, write the receipt',
        `it can be put back: rollcall reopen ${key}`,
      ],
    };
  }
  return {
    remedy: null,
    advice: [`see what stands against closing it: rollcall explain ${key}`],
  };
}

/** The plainest lines of why a session is what it is. */
export function reasonsOf({ lifecycle, reasons, protections }: SessionEntry): string[] {
  return [
    `${lifecycle}: ${reasons[0]?.text ?? ''}`,
    ...protections.map(({ code, text }) => `protected (${code}): ${text}`),
  ];
}
