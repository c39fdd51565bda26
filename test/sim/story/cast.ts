import type { JournalEntry } from '../machine/journal.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimSession } from '../machine/tmux-parts.ts';

interface Role {
  name: string;
  key: string;
  readonly conversations: Set<string>;
}

/** Knows who plays whom: the session that took the place of `s3` is `s3` for the story. */
export class Cast {
  readonly #machine: Machine;
  readonly #roles = new Map<string, Role>();
  readonly #labelOf = new Map<string, string>();

  constructor(machine: Machine) {
    this.#machine = machine;
    machine.journal.onEntry((entry) => this.#on(entry));
  }

  /** A session of this label will have this name, also where rollcall itself starts it. */
  expect(label: string, name: string): void {
    if (!this.#roles.has(label)) this.#roles.set(label, { name, key: '', conversations: new Set() });
  }

  session(label: string): SimSession | undefined {
    const own = this.#machine.session(label);
    const role = this.#roles.get(label);
    if (own !== undefined || role === undefined) return own;
    const heir = [...this.#machine.agents].find(
      ({ isAlive, truth, pane }) =>
        isAlive &&
        truth.conversation !== null &&
        role.conversations.has(truth.conversation) &&
        pane.window.sessions.size > 0,
    );
    const [of] = heir?.pane.window.sessions ?? [];
    return (
      of ??
      this.#machine.sessions().find(({ name, label: other }) => name === role.name && !this.#roles.has(other))
    );
  }

  /** The last key that it had, also when it is gone. */
  keyOf(label: string): string | null {
    return this.session(label)?.key ?? this.#roles.get(label)?.key ?? null;
  }

  nameOf(label: string): string {
    return this.session(label)?.name ?? this.#roles.get(label)?.name ?? label;
  }

  /** The label of a session that the story knows by another one now. */
  labelOf({ label, key }: Pick<SimSession, 'label' | 'key'>): string {
    return this.#labelOf.get(key) ?? label;
  }

  #on(entry: JournalEntry): void {
    if (entry.what === 'session-started') this.#started(entry);
    if (entry.what === 'session-renamed') {
      const role = this.#roles.get(entry.session);
      if (role !== undefined) role.name = entry.name;
    }
    if (entry.what === 'conversation') this.#spoke(entry.pid, String(entry.detail));
  }

  #started({ session: label, key, name }: { session: string; key: string; name: string }): void {
    const heirOf = [...this.#roles].find(([own, role]) => own !== label && role.name === name)?.[0];
    const own = /^t\d+$/.test(label) ? heirOf : label;
    if (own === undefined) return;
    const role = this.#roles.get(own) ?? { name, key, conversations: new Set<string>() };
    [role.name, role.key] = [name, key];
    this.#roles.set(own, role);
    this.#labelOf.set(key, own);
  }

  #spoke(pid: number, conversation: string): void {
    const agent = [...this.#machine.agents].find(({ process }) => process.pid === pid);
    const [session] = agent?.pane.window.sessions ?? [];
    if (session === undefined) return;
    this.#roles.get(this.labelOf(session))?.conversations.add(conversation);
  }
}
