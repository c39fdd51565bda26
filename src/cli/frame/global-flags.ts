/** Flags that every command takes, before or after its name. */
export const GLOBAL_FLAGS = {
  json: { kind: 'switch', help: 'Print one JSON document; errors too.' },
  server: {
    kind: 'words',
    placeholder: 'LABEL|PATH',
    help: 'Only this tmux server, by the label that tmux -L takes or by its socket path. May be repeated.',
  },
  config: {
    kind: 'word',
    placeholder: 'FILE',
    isFile: true,
    help: 'Read this config file instead of your own.',
  },
  color: {
    kind: 'choice',
    placeholder: 'WHEN',
    values: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'Colour: auto is on a terminal, unless NO_COLOR is set.',
  },
  'no-color': { kind: 'switch', help: 'The same as --color=never.' },
  'no-daemon': { kind: 'switch', help: 'Look in this process, even if a daemon runs.' },
  debug: {
    kind: 'switch',
    help: 'Say on stderr who was asked, and how long it took. Also with ROLLCALL_DEBUG=1.',
  },
  help: { kind: 'switch', short: 'h', help: 'Explain the command.' },
  version: { kind: 'switch', short: 'V', help: 'Print the version.' },
} as const;
