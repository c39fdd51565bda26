/** Whether a receipt tells of a close that ended somebody and then stopped: its session is not closed by it. */
export function isPartial(receipt: { readonly body: { readonly result?: unknown } } | null): boolean {
  return receipt?.body.result === 'partial';
}
