// Words that run what follows them.
const CARRIERS = new Set([
  'exec',
  'command',
  'env',
  'nohup',
  'setsid',
  'nice',
  'sudo',
  'sh',
  'bash',
  'zsh',
  'dash',
  'npx',
  'time',
]);

/**
 * The command lines in a pane's start command (`sh -c "agent --flag; exec sh"`), each as words that begin with the
 * program. Good enough to compare exact program names with; never used to run anything.
 */
export function commandsIn(startCommand: string): string[][] {
  return startCommand
    .slice(0, 4096)
    .replace(/["'\\]/g, ' ')
    .split(/[;&|\n(){}]+/)
    .map((segment) => afterCarriers(segment.split(/\s+/).filter((word) => word !== '')))
    .filter((argv) => argv.length > 0);
}

function afterCarriers(argv: readonly string[]): string[] {
  let index = 0;
  while (index < argv.length && isCarried(argv[index] as string, index)) index += 1;
  return argv.slice(index);
}

function isCarried(word: string, index: number): boolean {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return CARRIERS.has(name) || /^[A-Za-z_]\w*=/.test(word) || (index > 0 && word.startsWith('-'));
}
