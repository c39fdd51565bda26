import type { KeptDocument } from '../core/close/kept-document.ts';
import type { Digests } from '../core/close/seal.ts';
import type { KeptStart } from '../core/sight/start.ts';

/** What is kept of a session before it is closed. */
export interface ArchiveContent {
  /** Everything but the screens, as one document. */
  readonly document: KeptDocument;
  /** What each pane showed and remembered, by pane id. */
  readonly histories: ReadonlyMap<string, string>;
  /** How rollcall started it, in a file of its own: its values are in no document that is shown. */
  readonly start?: KeptStart;
}

export type Archived =
  /** It was read back, and is what was given; of each file that was written now, its digest. */
  | { readonly state: 'written'; readonly path: string; readonly digests: Digests }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };

export type ArchiveRead =
  /** The digest is that of the very bytes that were read. */
  | {
      readonly state: 'read';
      readonly document: KeptDocument;
      readonly path: string;
      readonly digest: string;
    }
  | { readonly state: 'absent'; readonly path: string }
  | { readonly state: 'failed'; readonly path: string; readonly text: string };

export type StartRead =
  | { readonly state: 'read'; readonly start: KeptStart; readonly digest: string }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly text: string };

/** Where closed sessions are kept: one folder each, private, never removed by rollcall. */
export interface Archive {
  /** On the disk, whole, when it says `written`; half an archive is never seen under its name. */
  write(id: string, content: ArchiveContent): Archived;
  read(id: string): ArchiveRead;
  /** How its session was started, where rollcall did that. */
  start(id: string): StartRead;
  /** What was kept of what a pane showed, the earliest first; what cannot be read is left out. */
  screens(id: string, paneId: string): readonly string[];
  /** Keeps what a pane showed later, in a file of its own: as whole and as lasting as the rest, and nothing is replaced. */
  add(id: string, paneId: string, text: string): Archived;
  /** What of an archive is not as these digests have it; null where there is no such archive any more. */
  differences(id: string, digests: Digests): readonly string[] | null;
}
