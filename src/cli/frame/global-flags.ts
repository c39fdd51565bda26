import { choice, toggle, word, words } from './flags.ts';
/** Flags that every command takes, before or after its name. */
export const GLOBAL_FLAGS = {
  json: toggle('Print one JSON document; errors too.'),
  server: words(
    'LABEL|PATH',
    'Only this tmux server, by the label that tmux -L takes or by its socket path. May be repeated.',
  ),
  config: word('FILE', 'Read this config file instead of your own.', { isFile: true }),
  color: choice(
    'WHEN',
    ['auto', 'always', 'never'],
    'Colour: auto is on a terminal, unless NO_COLOR is set.',
    { default: 'auto' },
  ),
  'no-color': toggle('The same as --color=never.'),
  'no-daemon': toggle('Look in this process, even if a daemon runs.'),
  debug: toggle('Say on stderr who was asked, and how long it took. Also with ROLLCALL_DEBUG=1.'),
  help: toggle('Explain the command.', 'h'),
  version: toggle('Print the version.', 'V'),
} as const;
