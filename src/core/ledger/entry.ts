import { canonicalJson, type JsonObject } from './json.ts';
import { LedgerError } from './ledger-error.ts';

export const ENTRY_KINDS = ['intent', 'outcome', 'receipt', 'declared', 'note'] as const;

/**
 * What an entry is: an intent before an action, its outcome after it, the receipt that an action leaves, a fact that
 * somebody declared, or a note about the ledger itself.
 */
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Who acts. */
export interface Actor {
  /** `cli`, `daemon`, `hook`, … */
  readonly kind: string;
  readonly pid: number;
  readonly user: string;
}

/** The machine, its boot and the process that records. */
export interface Author {
  /** Machine id. */
  readonly host: string;
  readonly bootId: string;
  readonly actor: Actor;
  /** The pid namespace in which it sees processes; absent where there is none to tell. */
  readonly pidNamespace?: string;
}

/** The session that an entry is about. The key is its identity; there is none before it was started. */
export interface EntrySession {
  readonly key: string | null;
  readonly name: string;
}

/** What a caller has to say; who, when and where the ledger adds. */
export interface EntryDraft {
  readonly kind: EntryKind;
  /** `run`, `close`, `hold`, …: one kebab-case word. */
  readonly action: string;
  readonly session: EntrySession | null;
  /** The intent that an outcome or a receipt belongs to. */
  readonly cause?: number | null;
  readonly body?: JsonObject;
  /** Whoever asked, where it is not the process that records. */
  readonly actor?: Actor;
}

/** Everything of an entry but its place in the chain. */
export interface EntryContent<Body = JsonObject> extends Omit<Author, 'pidNamespace'> {
  readonly at: number;
  readonly kind: EntryKind;
  readonly action: string;
  readonly session: EntrySession | null;
  readonly cause: number | null;
  readonly body: Body;
}

/** One entry of the ledger; its body is as it is stored until somebody reads it. */
export interface LedgerEntry<Body = JsonObject> extends EntryContent<Body> {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** Hash of the entry before it. */
  readonly previous: string;
  readonly hash: string;
}

/** Characters of a body: room for a receipt with all its evidence, not for a screen's history. */
export const MAX_BODY_LENGTH = 256 * 1024;

const MAX_WORD_LENGTH = 4096;
const ACTION = /^[a-z][a-z0-9-]{0,39}$/;
/** A NUL ends a text in SQLite, and half a surrogate pair has no UTF-8: neither would come back as it went in. */
const NOT_STORABLE = /\0|\p{Surrogate}/u;

/** The content of an entry from what its author said; throws where it may not be recorded. */
export function contentOf(draft: EntryDraft, author: Author, at: number): EntryContent {
  const { host, bootId } = author;
  const { kind, action, session, cause = null, actor = author.actor } = draft;
  const body = session === null ? (draft.body ?? {}) : withNamespace(draft.body ?? {}, author);
  const content = { at, host, bootId, actor, kind, action, session, cause, body };
  const objection = objectionTo(content);
  if (objection === null) return content;
  throw new LedgerError('invalid', `this cannot be recorded: ${objection}`, 'this is a defect of rollcall');
}

// In the body, because every entry has one and none of those that are stored may change its form.
function withNamespace(body: JsonObject, { pidNamespace }: Author): JsonObject {
  return pidNamespace === undefined ? body : { ...body, pidNamespace };
}

/** The pid namespace from which an entry was recorded; every number of a process in it is one of that namespace. */
export function namespaceOf({ body }: Pick<LedgerEntry, 'body'>): { readonly pidNamespace?: string } {
  return typeof body.pidNamespace === 'string' ? { pidNamespace: body.pidNamespace } : {};
}

function objectionTo(content: EntryContent): string | null {
  const { at, host, bootId, actor, kind, action, session, cause } = content;
  if (!ENTRY_KINDS.includes(kind)) return `there is no kind '${kind}'`;
  if (!ACTION.test(action)) return `'${action}' is not the name of an action`;
  const numbers = [at, actor.pid, ...(cause === null ? [] : [cause])];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
    return 'time, pid and cause are whole numbers';
  }
  const words = [host, bootId, actor.kind, actor.user, session?.key ?? '', session?.name ?? ''];
  if (words.some((word) => NOT_STORABLE.test(word))) return 'a name holds a character that cannot be stored';
  if (words.some((word) => word.length > MAX_WORD_LENGTH)) return 'a name is too long';
  if (kind === 'outcome' && cause === null) return 'an outcome names its intent';
  return objectionToBody(content.body);
}

function objectionToBody(body: JsonObject): string | null {
  try {
    const { length } = canonicalJson(body);
    return length > MAX_BODY_LENGTH
      ? `its body has ${length} characters, more than ${MAX_BODY_LENGTH}`
      : null;
  } catch (error) {
    return `its body: ${(error as Error).message}`;
  }
}

/** Whether a receipt tells of a close that ended somebody and then stopped: its session is not closed by it. */
export function isPartial(receipt: { readonly body: { readonly result?: unknown } } | null): boolean {
  return receipt?.body.result === 'partial';
}
