import type { PaneTarget, SessionTarget } from '../../../ports/actuator.ts';

/** One thing that tmux has to find as it was judged. */
export interface Fact {
  readonly format: string;
  /** Holds nothing that means something in a format. */
  readonly value: string;
  /** What to say when it is another one. */
  readonly otherwise: string;
  /** Output and programs move by themselves: a new look may judge that anew. */
  readonly isMotion?: boolean;
}

/** Whether these are ids as tmux gives them: whatever else comes from a record is never put into a command. */
export function isSession({ server, sessionId, createdAtSeconds }: SessionTarget): boolean {
  return /^\$\d{1,9}$/.test(sessionId) && isCount(server.pid) && isCount(createdAtSeconds);
}

export function isPane({ session, ...pane }: PaneTarget): boolean {
  return isSession(session) && isPaneOfSession(pane);
}

export function isPaneOfSession({ paneId, pid }: Omit<PaneTarget, 'session'>): boolean {
  return /^%\d{1,9}$/.test(paneId) && Number.isSafeInteger(pid);
}

/** The session, by its id alone. */
export function sessionAddress({ sessionId }: SessionTarget): string {
  return `${sessionId}:`;
}

/** The pane in this very session: a pane id alone would also be found in any other that shares its window. */
export function paneAddress({ session, paneId }: PaneTarget): string {
  return `${session.sessionId}:.${paneId}`;
}

export function sessionFacts({ server, sessionId, createdAtSeconds }: SessionTarget): Fact[] {
  return [
    fact('#{pid}', server.pid, 'another tmux server runs in its place'),
    fact('#{session_id}', sessionId, 'it is gone'),
    fact('#{session_created}', createdAtSeconds, 'another session has its id'),
  ];
}

export function paneFacts(pane: PaneTarget): Fact[] {
  return [
    ...sessionFacts(pane.session),
    fact('#{pane_id}', pane.paneId, 'the pane is gone'),
    fact('#{pane_pid}', pane.pid, 'another process runs in the pane'),
  ];
}

/** What has to hold, on top of that, for keys to reach that one program and nobody else. */
export function inputFacts(pane: PaneTarget): Fact[] {
  return [
    ...paneFacts(pane),
    fact('#{pane_dead}', 0, 'its program has ended'),
    fact('#{pane_in_mode}', 0, IN_MODE),
    fact('#{pane_synchronized}', 0, 'what is typed in the pane goes to other panes too'),
    fact('#{pane_input_off}', 0, 'the pane takes no input'),
  ];
}

export const IN_MODE = 'somebody reads in the pane (copy mode or another mode)';

/** tmux tells the time itself; a version that does not know how tells nothing. */
export const TIME = '#{T:#{l:%s}}';

export const TOO_LATE = 'tmux took too long, and did nothing';

/** Before this second of its own clock: a server that stood still does nothing later that nobody waits for any more. */
export function beforeSecond(second: number): Fact {
  return fact(`#{<:${TIME},${second}}`, 1, TOO_LATE);
}

export function fact(format: string, value: string | number, otherwise: string): Fact {
  return { format, value: String(value), otherwise };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
