import { writtenConfig } from '../../config/config-files.ts';
import type { FlagValues } from './command.ts';
import type { GLOBAL_FLAGS } from './global-flags.ts';
import type { Surroundings } from './surroundings.ts';

export type DaemonFlags = Pick<FlagValues<typeof GLOBAL_FLAGS>, 'no-daemon' | 'debug' | 'server' | 'config'>;

/**
 * The document of a running daemon, as it was sent, instead of a look in this process; null if this process has to look
 * itself. A daemon that sees something else, has another version, hangs or goes away holds nobody up.
 */
export async function throughDaemon(
  surroundings: Surroundings,
  flags: DaemonFlags,
  path: string,
): Promise<Buffer | null> {
  const { stderr, env, cwd, now } = surroundings;
  const isDebug = flags.debug || (env.ROLLCALL_DEBUG ?? '') !== '';
  const told = (text: string): null => {
    if (isDebug) stderr.write(`rollcall: debug: ${text}\n`);
    return null;
  };
  if (flags['no-daemon']) return told('looks here: --no-daemon');
  if (flags.server.length > 0) return told('looks here: --server');
  const written = writtenConfig({ path: flags.config, env, cwd });
  if (written === null) return told('looks here: a config file cannot be read');
  const ask = await surroundings.standIn(written);
  if (ask === null) return told('looks here: no daemon listens');
  const begun = now();
  const answer = await ask(path);
  const tookMs = now() - begun;
  if (answer.state === 'none') return told(`looks here after ${tookMs} ms: ${answer.why}`);
  told(`the daemon looked: ${path}, ${tookMs} ms`);
  return answer.body;
}
