import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { type ListedProcess, listing } from '../../../core/close/listing.ts';
import { type ProcessMark, processKey } from '../../../core/sight/identity.ts';

/**
 * The processes of a session that is to be closed, as they were seen and judged before the first rung. Nothing else is ever
 * signalled: what appears later is only told, and so is what was not in the list that somebody was shown.
 */
export class Belongings {
  readonly paneIds: ReadonlySet<string>;
  readonly #listed: readonly ListedProcess[];
  readonly #may: ReadonlySet<string>;
  readonly #keys: ReadonlySet<string>;

  constructor(
    panes: readonly ClosingPane[],
    wish: { readonly isForced: boolean },
    shown?: ReadonlySet<string>,
  ) {
    this.paneIds = new Set(panes.filter(({ isShared }) => !isShared).map(({ paneId }) => paneId));
    this.#listed = listing(panes, wish);
    this.#keys = new Set(this.#listed.map(processKey));
    const ends = this.#listed.filter((one) => one.what === 'end').map(processKey);
    this.#may = new Set(ends.filter((key) => shown?.has(key) ?? true));
  }

  /** Whether it was seen then. */
  isListed = (mark: ProcessMark): boolean => this.#keys.has(processKey(mark));

  /** Whether it may be signalled. */
  mayEnd = (mark: ProcessMark): boolean => this.#may.has(processKey(mark));

  /** Everything of these panes that may be ended. */
  of(paneIds: ReadonlySet<string>): ListedProcess[] {
    return this.#listed.filter((one) => this.mayEnd(one) && paneIds.has(one.paneId));
  }

  /** Everything else that was seen in these panes: told where it lives on. */
  others(paneIds: ReadonlySet<string>): ListedProcess[] {
    return this.#listed.filter((one) => !this.mayEnd(one) && paneIds.has(one.paneId));
  }
}
