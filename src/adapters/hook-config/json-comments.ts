/** A string, or a comment: inside of a string nothing is one. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|[ \t]*(?:\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)/g;

/** The comments in a part of a text that begins and ends outside of strings and comments, with the blanks before them. A line's end belongs to its comment. */
export function commentsIn(text: string, from: number, to: number): { start: number; end: number }[] {
  return [...text.slice(from, to).matchAll(TOKEN)]
    .filter(([token]) => !token.startsWith('"'))
    .map(({ 0: token, index }) => ({ start: from + index, end: from + index + token.length }));
}
