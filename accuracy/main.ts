import { cacheFolder, install } from './install.ts';
import { parseOptions, USAGE } from './options.ts';
import { run } from './run.ts';

/** The first half of a run, with network: checks the command line and installs the agents. Null when all is well. */
export function prepare(argv: readonly string[]): string | null {
  const options = parseOptions(argv);
  if (typeof options === 'string') return `${options}\n${USAGE}`;
  try {
    install(options.agents, cacheFolder(process.env), (line) => process.stderr.write(`${line}\n`));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The second half, without network. */
export async function play(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv);
  return typeof options === 'string' ? 2 : run(options);
}
