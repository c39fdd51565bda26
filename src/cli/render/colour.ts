/** What a piece of text is to the reader. Words carry the meaning; a tone only helps to find them. */
export type Tone = keyof typeof SGR;

// Only the basic colours: they follow the terminal's own theme, light or dark.
const SGR = {
  heading: '1',
  quiet: '2',
  alarm: '31',
  good: '32',
  warning: '33',
  doubt: '35',
  calm: '36',
  selected: '7',
} as const;

/** Wraps the text in the SGR codes of its tone, closed again at once so that no colour leaks into what follows. */
export function paint(text: string, tone: Tone | undefined, isColor: boolean): string {
  return isColor && tone !== undefined && text !== '' ? `\u001b[${SGR[tone]}m${text}\u001b[0m` : text;
}
