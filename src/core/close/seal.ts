/** The one document of an archive; beside it lies one text per pane. */
export const DOCUMENT = 'session.json';

/** How rollcall started the session, with the values of its variables. */
export const VARIABLES = 'variables.json';

/** SHA-256 of each file of an archive, by its name. */
export type Digests = Readonly<Record<string, string>>;

/**
 * What an entry of the ledger says of a file of an archive: `whole` where it has the digest of these very bytes, `changed` where
 * it has another, `unsealed` where it has none, as those of versions that recorded none.
 */
export type Seal = 'whole' | 'changed' | 'unsealed';

export function sealOf(
  { digests }: { readonly digests: Digests | null },
  digest: string,
  file = DOCUMENT,
): Seal {
  const recorded = digests?.[file];
  if (recorded === undefined) return 'unsealed';
  return recorded === digest ? 'whole' : 'changed';
}

/** What became of the archives that receipts tell of. */
export interface ArchiveCheck {
  /** Archives that were compared with the digests in their receipts. */
  readonly compared: number;
  /** Those that are not there any more: whoever owns them may remove them. */
  readonly gone: number;
  /** Receipts of versions that recorded no digest. */
  readonly unsealed: number;
  readonly changed: readonly { readonly receipt: string; readonly text: string }[];
}
