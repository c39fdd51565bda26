import type { Surroundings } from './surroundings.ts';

/** Asks a person at the terminal; everything but a clear yes is a no. */
export function askYes(question: string, { stdin, stdout }: Surroundings): Promise<boolean> {
  stdout.write(`${question} [y/N] `);
  return new Promise((resolve) => {
    let typed = '';
    const stop = stdin.onText((text) => {
      typed += text;
      if (!/[\r\n]/.test(typed)) return;
      stop();
      resolve(/^y(es)?$/i.test(typed.trim()));
    });
  });
}
