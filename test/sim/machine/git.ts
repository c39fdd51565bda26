import type { RepositoryFacts } from '../../../src/core/sight/sighting.ts';
import type { By, Journal } from './journal.ts';

/** What git has in one folder; `none`: no repository; `fails`: git gives no answer there. */
export type SimRepository =
  | ({ readonly state: 'repository' } & RepositoryFacts)
  | { readonly state: 'none' }
  | { readonly state: 'fails' };

/** Everything pushed, nothing changed. */
export const CLEAN: SimRepository = {
  ...{ state: 'repository', branch: 'main', dirtyFiles: 0, unpushedCommits: 0, hasRemote: true },
  ...{ stashes: 0, isMerged: true },
};

/** The work trees of a machine, by folder. What no story speaks of is clean. */
export class SimGit {
  readonly #journal: Journal;
  readonly #folders = new Map<string, SimRepository>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  at(cwd: string): SimRepository {
    return this.#folders.get(cwd) ?? CLEAN;
  }

  set(cwd: string, repository: SimRepository, by: By): void {
    this.#folders.set(cwd, repository);
    this.#journal.note(by, { what: 'git', cwd, detail: JSON.stringify(repository) });
  }

  /** Some facts of it change. */
  change(cwd: string, facts: Partial<RepositoryFacts>, by: By): void {
    const before = this.at(cwd);
    const known = before.state === 'repository' ? before : CLEAN;
    this.set(cwd, { ...known, ...facts, state: 'repository' } as SimRepository, by);
  }
}
