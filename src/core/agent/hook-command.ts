/** The last two names of the script's path tell an entry of ours, wherever the rest of the path leads. */
const SCRIPT = '/rollcall/hook.sh';
const QUOTED = /^(?:\[ ! -x '(?:[^']|'\\'')+' \] \|\| exec )?'((?:[^']|'\\'')+)' [a-z]+ [A-Za-z]+$/;

/**
 * What an agent runs for one event. Every exit status but 0 and 1 denies what Gemini is about to do, and a script that is
 * gone is 127: without a look first nobody could give it a prompt any more, and it could not stop. The shell makes way, so
 * that the agent stays the parent by which its hooks are known.
 */
export function hookCommand(script: string, agent: string, event: string): string {
  const path = `'${script.replaceAll("'", "'\\''")}'`;
  const call = `${path} ${agent} ${event}`;
  return agent === 'gemini' ? `[ ! -x ${path} ] || exec ${call}` : call;
}

/** The script that a command of ours calls; null for every other command. */
export function scriptOf(command: unknown): string | null {
  if (typeof command !== 'string' || command.length > 5000) return null;
  const path = QUOTED.exec(command)?.[1]?.replaceAll("'\\''", "'");
  return path?.endsWith(SCRIPT) ? path : null;
}

/** The script that a command calls which rollcall, of this or an earlier version, writes for this event; null for every other. */
export function scriptFor(command: unknown, agent: string, event: string): string | null {
  const script = scriptOf(command);
  if (script === null) return null;
  // Earlier versions did not look first whether the script is there.
  const written = hookCommand(script, agent, event);
  return command === written || written.endsWith(` || exec ${command}`) ? script : null;
}

/**
 * Whether a command line is the hook as rollcall installs it for an event: the shell that an agent gives the command to, or
 * the script itself where that shell has made way for it.
 */
export function isHookOf(argv: readonly string[], agent: string, event: string): boolean {
  const told = argv.findIndex((word) => /^-[a-z]*c$/.test(word));
  const command = told === 1 ? argv[told + 1] : undefined;
  const script = scriptOf(command);
  if (script !== null) return argv.length === told + 2 && command === hookCommand(script, agent, event);
  const [path, ...words] = argv.slice(-3);
  const isScript = argv.length <= 4 && path?.endsWith(SCRIPT) === true;
  return isScript && words[0] === agent && words[1] === event;
}

/** Whether a text speaks of a script of ours at all. */
export function isOwnScript(text: string): boolean {
  return text.includes(SCRIPT);
}
