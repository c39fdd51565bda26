import type { Judged } from './checks/check.ts';
import { CHECKS } from './checks/index.ts';
import type { Blocker, Check } from './verdict.ts';

/** The closing checklist of one session. It is gone through when somebody asks: for a session at work nobody does. */
export interface Checklist {
  readonly checks: readonly Check[];
  readonly blockers: readonly Blocker[];
}

/** Lays the checklist out without going through it yet. */
export function checklistOf(judged: Judged): Checklist {
  let checks: readonly Check[] | undefined;
  let blockers: readonly Blocker[] | undefined;
  return {
    get checks() {
      checks ??= CHECKS.map((check) => check(judged));
      return checks;
    },
    get blockers() {
      blockers ??= this.checks
        .filter((check) => check.state !== 'met')
        .map(({ code, text }) => ({ code, text }));
      return blockers;
    },
  };
}
