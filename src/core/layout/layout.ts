import * as v from 'valibot';
import { finite, loose, number, whole } from '../../schema/recorded.ts';
import { type KeptDocument, readKept } from '../close/kept-document.ts';
import { parsedObject } from '../ledger/json.ts';

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
  readonly document: KeptDocument;
}

/** More is neither written nor read. */
export const MAX_LAYOUT_BYTES = 1024 * 1024;

/** As it is written. */
export function layoutText(layout: Layout): string {
  return `${JSON.stringify({ version: 1, ...layout })}\n`;
}

/** Null where it is not whole, or tells of another session. */
export function parseLayout(text: string, key: string): Layout | null {
  const { success, output } = v.safeParse(keptLayout, parsedObject(text));
  if (!success || output.key !== key) return null;
  const { at, print, lackingSince } = output;
  const document = readKept(output.document);
  if (document.session?.key !== key || document.panes.length === 0) return null;
  return { key, at, print, document, ...(lackingSince !== null && { lackingSince }) };
}

const keptLayout = whole({
  version: v.literal(1),
  key: v.string(),
  at: finite,
  print: v.string(),
  lackingSince: number,
  document: loose({}),
});
