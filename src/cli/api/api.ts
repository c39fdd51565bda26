import type { ApiDocument } from '../../contract/daemon-schemas.ts';
import { toDocument } from '../../contract/document.ts';
import { ROUTES, type Route, type RouteName } from '../../contract/http/routes.ts';
import { visible } from '../../core/text/visible.ts';
import { Failure } from '../../operations/failure.ts';
import type { DaemonSighting } from '../../ports/daemon.ts';
import { defineCommand } from '../frame/command.ts';
import { chosenWord } from '../frame/session-words.ts';
import { writeJson } from '../frame/write-json.ts';

const NAMES = Object.keys(ROUTES) as RouteName[];

export const apiCommand = defineCommand({
  name: 'api',
  summary: 'Print a curl command for a route of the HTTP API.',
  usage: ['rollcall api [ROUTE] [flags]'],
  description: [
    'Prints a command line that calls the daemon which runs now, or one for every route. It goes through the daemon’s Unix socket, which only you can reach: no token is in it, and nobody else can be listening there. Parts in braces, as {session}, are for you to fill in.',
    'A port may be taken by another program once a daemon has ended, and a token that is sent there is a secret given away. So no call of the port is printed. A program that needs the port reads address and token file from rollcall status --json before each call; the token is another one after every start.',
  ],
  positional: chosenWord('ROUTE', NAMES, 'One route; all of them otherwise.'),
  examples: {
    'rollcall api': 'every call',
    'eval "$(rollcall api roll)"': 'make one',
    "rollcall api events --json | jq -r '.calls[0].argv[]'": 'for programs',
  },
  exits: {
    done: 'the calls were printed',
    failed: 'nobody can tell whether a daemon runs',
    usage: 'an unknown flag or route',
    'daemon-needed': 'no daemon runs, or it has no socket',
  },
  run: async ({ flags, words, surroundings }) => {
    const names = named(words[0]);
    const { pid, socket } = reached((await surroundings.daemonControl()).see());
    const calls = names.map((route) => callOf(route, socket));
    const { stdout } = surroundings;
    const document: ApiDocument = toDocument({ daemon: { pid, socket }, calls });
    if (flags.json) writeJson(stdout, document);
    else if (words.length > 0) stdout.write(`${calls.map(({ argv }) => shellLine(argv)).join('\n')}\n`);
    else stdout.write(calls.map(({ summary, argv }) => `# ${summary}\n${shellLine(argv)}\n`).join('\n'));
    return 0;
  },
});

function named(word: string | undefined): readonly RouteName[] {
  if (word === undefined) return NAMES;
  const found = NAMES.find((name) => name === word || ROUTES[name].path === word);
  if (found !== undefined) return [found];
  throw new Failure('usage', `there is no route '${word}'`, { hint: `one of ${NAMES.join(', ')}` });
}

// Only what the process with the daemon's lock wrote down: a file that an ended one left names anybody's address.
function reached(seen: DaemonSighting): { readonly pid: number; readonly socket: string } {
  if (seen.state === 'unknown') throw new Failure('failed', seen.text, { hint: seen.hint });
  if (seen.state === 'absent') {
    throw new Failure('daemon-needed', 'no daemon runs', { hint: 'start one: rollcall up' });
  }
  const { pid, note } = seen;
  if (note?.socket != null) return { pid, socket: note.socket };
  throw new Failure('daemon-needed', `the daemon (pid ${pid}) has no socket, or is not ready yet`, {
    hint: note?.problems[0] ?? 'try again in a moment; rollcall status shows how it does',
  });
}

function callOf(name: RouteName, socket: string): ApiDocument['calls'][number] {
  const { method, path, summary }: Route = ROUTES[name];
  const stream = name === 'events' ? ['--no-buffer'] : [];
  const body = method === 'POST' ? ['--json', '{}'] : [];
  // Braces are curl's own patterns otherwise.
  const argv = ['curl', '--silent', '--show-error', '--globoff', ...stream, '--unix-socket', socket];
  return { route: name, method, path, summary, argv: [...argv, ...body, `http://localhost${path}`] };
}

// A path may hold anything; what a terminal could take for a command of its own is shown, and then does not work.
function shellLine(argv: readonly string[]): string {
  const quoted = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return visible(argv.map(quoted).join(' '));
}
