/** The words of a text, for lists that are easier to read as one. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
