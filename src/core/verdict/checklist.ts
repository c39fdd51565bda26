import { type Judged, lineOf } from '../checks/check.ts';
import { contractChecks } from '../checks/contract.ts';
import { CHECKS } from '../checks/index.ts';
import type { Blocker, Check, Verdict } from './verdict.ts';

/** The closing checklist of one session. It is gone through when somebody asks: for a session at work nobody does. */
export interface Checklist {
  readonly checks: readonly Check[];
  /** The checks that are not met. */
  readonly blockers: readonly Blocker[];
}

/** Something with a checklist. A class, because an object literal with getters costs several times as much. */
export abstract class WithChecklist implements Checklist {
  readonly #checklist: Checklist;

  constructor(checklist: Checklist) {
    this.#checklist = checklist;
  }

  get checks(): readonly Check[] {
    return this.#checklist.checks;
  }

  get blockers(): readonly Blocker[] {
    return this.#checklist.blockers;
  }
}

/** The same with what a verdict says of a session as a whole. */
export abstract class WithVerdict extends WithChecklist {
  readonly activity: Verdict['activity'];
  readonly waitingFor: Verdict['waitingFor'];
  readonly lifecycle: Verdict['lifecycle'];
  readonly since: number;
  readonly retainedUntil: number | null;
  readonly reasons: Verdict['reasons'];
  readonly protections: Verdict['protections'];
  readonly agent: Verdict['agent'];

  constructor(said: Omit<Verdict, keyof Checklist | 'panes'>, checklist: Checklist) {
    super(checklist);
    this.activity = said.activity;
    this.waitingFor = said.waitingFor;
    this.lifecycle = said.lifecycle;
    this.since = said.since;
    this.retainedUntil = said.retainedUntil;
    this.reasons = said.reasons;
    this.protections = said.protections;
    this.agent = said.agent;
  }
}

/** A checklist that nobody has gone through yet. */
export class LazyChecklist implements Checklist {
  readonly #judged: Judged;
  #checks: readonly Check[] | undefined;
  #blockers: readonly Blocker[] | undefined;

  constructor(judged: Judged) {
    this.#judged = judged;
  }

  get checks(): readonly Check[] {
    this.#checks ??= [
      ...CHECKS.map((check) => lineOf(check(this.#judged))),
      ...contractChecks(this.#judged).map(lineOf),
    ];
    return this.#checks;
  }

  get blockers(): readonly Blocker[] {
    this.#blockers ??= this.checks
      .filter((check) => check.state !== 'met')
      .map(({ code, kind, text }) => ({ code, kind, text }));
    return this.#blockers;
  }
}
