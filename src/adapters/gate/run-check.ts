import { spoken } from '../../core/duration.ts';
import { lastLineOf } from '../../core/work-lacks.ts';
import type { CommandEnd } from '../../ports/command-runner.ts';
import type { Found } from './look-at-check.ts';

/** Ended by somebody, which says nothing about the work; what a program dies of by itself does. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** What the end of a check's program says. */
export function foundBy(end: CommandEnd, timeoutMs: number): Found {
  switch (end.state) {
    case 'exited':
      if (end.exitCode === 0) return { state: 'met', text: 'exit status 0', mark: '0' };
      return unmet(`exit status ${end.exitCode}${lastLineOf(end.output)}`, String(end.exitCode));
    case 'killed':
      if (FROM_OUTSIDE.has(end.signal)) return unknown(`ended by ${end.signal}`);
      return unmet(`ended by ${end.signal}${lastLineOf(end.output)}`, end.signal);
    case 'timed-out':
      return unmet(`not done within ${spoken(timeoutMs)}${lastLineOf(end.output)}`, 'timed-out');
    case 'not-started':
      return unknown(`could not be started${lastLineOf(end.output)}`);
  }
}

function unmet(text: string, mark: string): Found {
  return { state: 'unmet', text, mark };
}

function unknown(text: string): Found {
  return { state: 'unknown', text, mark: '' };
}
