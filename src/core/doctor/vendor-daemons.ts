import { programName } from '../sight/program.ts';

/** Claude Code's own supervisor and the sessions that it keeps without a terminal (`claude --bg`, `claude daemon`). */
export function isClaudeService(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => programName(word) === 'claude');
  // The program itself, or what an interpreter was told to run.
  if (at !== 0 && at !== 1) return false;
  const words = argv.slice(at + 1);
  const end = words.indexOf('--');
  const flags = end === -1 ? words : words.slice(0, end);
  return flags[0] === 'daemon' || flags.some((word) => SERVICE.test(word));
}

// As it starts its own workers (2.1.325).
const SERVICE = /^--(?:bg|background|daemon-worker|bg-spare|bg-pty-host|preload)(?:=|$)/;
