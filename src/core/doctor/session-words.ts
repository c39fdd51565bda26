import type { Roll, SessionEntry } from '../sight/roll.ts';
import { shellWord } from '../text/shell-word.ts';
import { visible } from '../text/visible.ts';
import type { DoctorFacts, KnownSessions } from './facts.ts';
import type { Finding, Severity } from './finding.ts';

/** A session as people know it: its name, and on which server. */
export function titleOf({ name, server }: Pick<SessionEntry, 'name' | 'server'>): string {
  return `${visible(name, 80)} (${visible(server.label, 40)})`;
}

/**
 * The word by which a command finds this session on the roll, ready for a shell: its name where no other has it, else
 * with its server, else its key.
 */
export function sessionWord(
  { key, name, server }: Pick<SessionEntry, 'key' | 'name' | 'server'>,
  { sessions }: Pick<Roll, 'sessions'>,
): string {
  const namesakes = sessions.filter((other) => other.key !== key && other.name === name);
  if (namesakes.length === 0) return ownWord(name) ?? key;
  const isApart = namesakes.every((other) => other.server.label !== server.label);
  return (isApart ? ownWord(`${server.label}:${name}`) : null) ?? key;
}

/** The word for `rollcall reopen` and `rollcall log`, which ask the ledger: there a name means its newest session. */
export function recordWord(entry: SessionEntry, { roll, ledger }: KnownSessions): string {
  const recorded = ledger.state === 'read' ? [...ledger.sessions.values()] : [];
  const own = recorded.find(({ key }) => key === entry.key)?.origin?.sequence ?? 0;
  const isMeant = recorded
    .filter(({ key, name }) => name === entry.name && key !== entry.key)
    .every(({ origin }) => {
      const isHere = origin?.place?.server.socketPath === entry.server.socketPath;
      return isHere && origin.sequence < own;
    });
  return isMeant ? sessionWord(entry, roll) : entry.key;
}

/** A session by the name that the ledger has for its key; any other word as it is. */
export function recordedName(word: string, { ledger }: Pick<DoctorFacts, 'ledger'>): string {
  const name = ledger.state === 'read' ? ledger.sessions.get(word)?.name : undefined;
  return name === undefined ? visible(word, 200) : `session '${visible(name, 80)}'`;
}

// Quoted where a shell asks for it; null for what a parser of flags or the search for a session takes for something else.
function ownWord(name: string): string | null {
  if (!/^[^-$%]/.test(name) || visible(name, 80) !== name) return null;
  return shellWord(name);
}

/** Which session a finding is about, and what it holds. */
export function aboutSession({ key, memoryBytes }: SessionEntry) {
  return { session: key, ...(memoryBytes !== null && { memoryBytes }) };
}

/**
 * Closing is offered only where the roll proves that the session may go and nothing at all protects it: a session that
 * rollcall neither started nor adopted is protected by that alone.
 */
export function closingOf(entry: SessionEntry, facts: KnownSessions): Pick<Finding, 'remedy' | 'advice'> {
  const { key, lifecycle, protections } = entry;
  if (lifecycle === 'safe-to-close' && protections.length === 0) {
    return {
      remedy: { kind: 'close-session', key },
      advice: [
        'look again; whatever has changed since stops it',
        'archive it, record the intent, close it by the usual steps, write the receipt',
        `it can be put back: rollcall reopen ${recordWord(entry, facts)}`,
      ],
    };
  }
  return {
    remedy: null,
    advice: [`see what prevents closing it: rollcall explain ${sessionWord(entry, facts.roll)}`],
  };
}

/** The plainest lines of why a session is what it is. */
export function reasonsOf({ lifecycle, reasons, protections }: SessionEntry): string[] {
  return [
    `${lifecycle}: ${reasons[0]?.text ?? ''}`,
    ...protections.map(({ code, text }) => `protected (${code}): ${text}`),
  ];
}

/** A leftover is something to mend once it is one for certain; before that, and while somebody keeps it, it is only told. */
export function leftoverSeverity({ lifecycle, protections }: SessionEntry): Severity {
  const isKept = protections.some(({ code }) => code !== 'not-managed');
  return !isKept && (lifecycle === 'safe-to-close' || lifecycle === 'stale') ? 'warning' : 'info';
}

/** A server by the last part of its socket, as `tmux -L` has it. */
export function serverName({ socketPath }: { readonly socketPath: string }): string {
  return visible(socketPath.slice(socketPath.lastIndexOf('/') + 1), 60);
}

/** How a person reaches it, whatever folder its socket is in; quoted for a shell. */
export function tmuxAt({ socketPath }: { readonly socketPath: string }): string {
  return `tmux -S '${visible(socketPath, 200).replaceAll("'", `'\\''`)}'`;
}
