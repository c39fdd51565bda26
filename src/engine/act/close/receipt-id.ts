// Without letters and digits that are taken for one another.
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

/** A new name for a receipt and its archive: short enough to be typed. */
export function newReceiptId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `r${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
