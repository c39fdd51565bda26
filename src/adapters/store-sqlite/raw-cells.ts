/**
 * The form in which SQLite stores a row (sqlite.org/fileformat2.html, sections 1.6 and 2.1), as far as an entry needs it.
 * Databases of rollcall have SQLite's usual pages, in UTF-8.
 */
export const PAGE = 4096;

/** Columns of an entry; the first, its number, is stored with the cell. */
const COLUMNS = 15;

/** What may be a row of the table of entries. */
export interface RawCell {
  readonly sequence: number;
  /** Bytes of the whole row, and those of them that lie in the cell. */
  readonly length: number;
  readonly local: Buffer;
  /** The page on which the row goes on. */
  readonly next: number | null;
}

/** Everything in a page that may be such a row, also where the page does not point to it any more. */
export function* cellsIn(page: Buffer): Generator<RawCell> {
  for (let start = 2; start + 1 < page.length; start += 1) {
    // The header has one byte for each column or a few more, and the number itself is left empty in it.
    const header = page[start] as number;
    if (page[start + 1] !== 0 || header <= COLUMNS || header >= 0x80) continue;
    for (let before = 2; before <= MOST_BEFORE && before <= start; before += 1) {
      const cell = cellAt(page, start - before, start);
      if (cell !== null) yield cell;
    }
  }
}

/** Bytes of the length of a row and of its number. */
const MOST_BEFORE = 10;

function cellAt(page: Buffer, offset: number, start: number): RawCell | null {
  const length = varint(page, offset);
  if (length === null || length.value < COLUMNS) return null;
  const sequence = varint(page, offset + length.size);
  if (sequence === null || offset + length.size + sequence.size !== start) return null;
  const size = localSize(length.value);
  const isWhole = size === length.value;
  const end = start + size;
  if (end + (isWhole ? 0 : 4) > page.length) return null;
  return {
    ...{ sequence: sequence.value, length: length.value, local: page.subarray(start, end) },
    next: isWhole ? null : page.readUInt32BE(end),
  };
}

function localSize(length: number): number {
  const most = PAGE - 35;
  if (length <= most) return length;
  const least = Math.floor(((PAGE - 12) * 32) / 255) - 23;
  const size = least + ((length - least) % (PAGE - 4));
  return size <= most ? size : least;
}

/** The values of a row; null where it is none of this table. */
export function recordOf(payload: Buffer): readonly (string | number | null)[] | null {
  const header = varint(payload, 0);
  if (header === null) return null;
  const values: (string | number | null)[] = [];
  let [at, from] = [header.size, header.value];
  while (at < header.value) {
    const type = varint(payload, at);
    if (type === null) return null;
    const size = sizeOf(type.value);
    if (size === null || from + size > payload.length) return null;
    values.push(storedAs(payload.subarray(from, from + size), type.value));
    at += type.size;
    from += size;
  }
  return values.length === COLUMNS && at === header.value && from === payload.length ? values : null;
}

/** Bytes of a value by its type: whole numbers and texts, and nothing else that an entry could hold. */
function sizeOf(type: number): number | null {
  if (type >= 13 && type % 2 === 1) return (type - 13) / 2;
  return [0, 1, 2, 3, 4, 6, 8, null, 0, 0][type] ?? null;
}

function storedAs(bytes: Buffer, type: number): string | number | null {
  if (type >= 13) return bytes.toString('utf8');
  if (type === 0) return null;
  if (type >= 8) return type - 8;
  return bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}

/** A number of up to nine bytes; null where the bytes end before it, or where it is too large to be right. */
function varint(bytes: Buffer, offset: number): { readonly value: number; readonly size: number } | null {
  let value = 0;
  for (let size = 1; size <= 7; size += 1) {
    const byte = bytes[offset + size - 1];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, size };
  }
  return null;
}
