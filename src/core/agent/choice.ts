/** How an agent comes to its conversation, by its command line. */
export interface ConversationChoice {
  /**
   * `own`: it names one, or begins a copy. `open`: it takes one that it finds itself or lets its user choose (`--continue`).
   * `new`: it says nothing of it, and begins one.
   */
  readonly how: 'own' | 'open' | 'new';
  /** Where it looks for one, if that is not the folder of its process; null: everywhere. */
  readonly folder?: string | null;
}
