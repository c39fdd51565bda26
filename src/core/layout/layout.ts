import type { JsonObject } from '../ledger/json.ts';
import { listIn, numberIn, objectIn, parsedObject, textIn } from '../ledger/json-values.ts';

/**
 * How a session under care was last seen, so that it can be made again after its server went without a close: what an
 * archive has of it, without screens and evidence. A hint of our own, never a proof of anything.
 */
export interface Layout {
  readonly key: string;
  /** When it was seen so. */
  readonly at: number;
  /** What it was taken of: as long as that is the same, it need not be taken again. */
  readonly print: string;
  /** Since when an agent that it tells of was not seen any more; it may be about to go with all the others. */
  readonly lackingSince?: number;
  /** As `reopeningOf` takes it. */
  readonly document: JsonObject;
}

/** More is neither written nor read. */
export const MAX_LAYOUT_BYTES = 1024 * 1024;

/** As it is written. */
export function layoutText(layout: Layout): string {
  return `${JSON.stringify({ version: 1, ...layout })}\n`;
}

/** Null where it is not whole, or tells of another session. */
export function parseLayout(text: string, key: string): Layout | null {
  const body = parsedObject(text);
  const document = objectIn(body?.document);
  const [at, print] = [numberIn(body?.at), textIn(body?.print)];
  if (body?.version !== 1 || body.key !== key || document === null || at === null || print === null)
    return null;
  const isOfKey = objectIn(document.session)?.key === key;
  if (!isOfKey || listIn(document.panes).length === 0) return null;
  const lackingSince = numberIn(body.lackingSince);
  return { key, at, print, document, ...(lackingSince !== null && { lackingSince }) };
}
