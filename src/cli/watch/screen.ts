import type { TerminalInput, TerminalOutput } from '../frame/surroundings.ts';

const ESC = '\u001b[';
// Alternate screen, no cursor, no wrapping: a terminal that counts an emoji differently must not push lines down.
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l${ESC}2J`;
const LEAVE = `${ESC}0m${ESC}?7h${ESC}?25h${ESC}?1049l`;

/** The terminal while it belongs to the watch. */
export interface Screen {
  /** Shows these lines, writing only those that differ from what stands there. */
  draw(lines: readonly string[]): void;
  /** Takes the terminal anew and forgets what stands there: after a resize, a stop, or someone else's output. */
  renew(): void;
  /** Gives the terminal back as it was; only the first call does anything. */
  close(): void;
}

/** Takes the terminal over. Whoever opens it closes it, whatever happens in between. */
export function openScreen(stdout: TerminalOutput, stdin: TerminalInput): Screen {
  let shown: readonly string[] = [];
  let isOpen = true;
  const enter = () => {
    shown = [];
    stdin.setRawMode(true);
    stdout.write(ENTER);
  };
  enter();
  return {
    draw(lines) {
      if (!isOpen) return;
      const changes = lines.map((text, row) => (text === shown[row] ? '' : place(text, row)));
      shown = [...lines];
      const frame = changes.join('');
      if (frame !== '') stdout.write(frame);
    },
    renew() {
      if (isOpen) enter();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      attempt(() => stdout.write(LEAVE));
      attempt(() => stdin.setRawMode(false));
    },
  };
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // A terminal that is gone (its window was closed) needs nothing given back.
  }
}

function place(text: string, row: number): string {
  return `${ESC}${row + 1};1H${ESC}2K${text}`;
}
