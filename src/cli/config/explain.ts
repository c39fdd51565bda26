import { type ExplainedSetting, explainConfig } from '../../config/explain.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { toDocument } from '../../contract/document.ts';
import type { ConfigDocument } from '../../contract/document-schemas.ts';
import { defineCommand } from '../frame/command.ts';
import { type Line, span } from '../render/line.ts';
import { labelled, page } from '../render/page.ts';
import { show } from '../render/show.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';

export const configExplainCommand = defineCommand({
  name: 'config explain',
  summary: 'Show every setting, its value, where it came from, and why.',
  usage: ['rollcall config explain [flags]'],
  description: [
    'Settings are read from one JSON file: --config FILE, else $ROLLCALL_CONFIG, else $XDG_CONFIG_HOME/rollcall/config.json (usually ~/.config/rollcall/config.json). Then .rollcall.json of the project is read: the nearest one from the folder in which the command runs up to the root of its repository. It holds for that command and all sessions that it sees, wherever they are; a daemon takes that of the folder in which it was started.',
    'A project file is not trusted: it may make rollcall more careful than your own file does, never less, and it has no say about the machine. What it may do is shown with each setting.',
    'Roles have settings of their own, { "roles": { "worker": { "retainFor": "1h" } } }; roles.* holds for sessions of every role, and for those without one.',
    'Notifications are rules, { "notify": { "rules": { "desk": { "on": ["waiting", "lost"], "desktop": "on" } } } }; rollcall help notify test shows more of them. Of a webhook only the host is shown.',
    'A file of yours that is wrong ends the command with exit code 2; nothing is silently replaced by a default. A project file that is wrong (not JSON, a key that does not exist, too large, unreadable, another user’s) ends nothing: what is right in it counts, the rest is told (project-config-broken), and sessions that work below its folder are protected until it is mended.',
  ],
  examples: {
    'rollcall config explain': 'every setting',
    "rollcall config explain --json | jq '.settings[] | {key, source}'": 'for programs',
  },
  exits: {
    done: 'the settings were printed',
    usage: 'a config file of yours is broken or does not exist',
  },
  run: async (call) => {
    const { config } = call.surroundings;
    return show(call, toConfigDocument(config), (width) => configLines(config, width));
  },
});

function toConfigDocument(config: LoadedConfig): ConfigDocument {
  const { files, notices } = config;
  const problems = notices.map(({ code, text, hint = null }) => ({ code, text, hint, socketPath: null }));
  // A value is a list of texts or a list of lists, never a list of both.
  return toDocument({ files, settings: explainConfig(config), problems }) as ConfigDocument;
}

function configLines(config: LoadedConfig, width: number | null): Line[] {
  const files = config.files.flatMap(({ path, via, isPresent }) =>
    labelled(isPresent ? 'read' : 'none', `${path} (${via})`, width, { room: 6, tone: 'quiet' }),
  );
  const settings = explainConfig(config).map((setting) => settingLines(setting, width));
  return page([files, ...settings, problemLines(config.notices, width)]);
}

function settingLines(setting: ExplainedSetting, width: number | null): Line[] {
  const { key, value, source, means, why } = setting;
  const from = source === 'default' ? '  (default)' : `  from ${source}`;
  return [
    ...wrap([], [span(key, 'heading'), span(' = '), span(shown(value)), span(from, 'quiet')], width),
    ...paragraph(means, width, 4),
    ...paragraph(boundsText(setting), width, 4, 'quiet'),
    ...paragraph(`Why: ${why}`, width, 4, 'quiet'),
  ];
}

const PROJECT_MAY: Readonly<Record<ExplainedSetting['projectMay'], string>> = {
  raise: 'a project file may only raise it',
  lower: 'a project file may only lower it',
  add: 'a project file may only add to it',
  nothing: 'a project file may not set it',
};

const MOST: Partial<Readonly<Record<ExplainedSetting['kind'], string>>> = {
  patterns: 'patterns',
  words: 'words',
  commands: 'commands',
  command: 'words',
  url: 'characters',
  file: 'characters',
};

function boundsText({ kind, bounds, choices, default: standard, projectMay }: ExplainedSetting): string {
  const most = MOST[kind];
  const range =
    choices !== undefined
      ? `One of ${choices.join(', ')}`
      : most === undefined
        ? `Between ${shown(bounds.min)} and ${shown(bounds.max)}`
        : `At most ${shown(bounds.max)} ${most}`;
  return `${range}, default ${shown(standard)}; ${PROJECT_MAY[projectMay]}.`;
}

function shown(value: ExplainedSetting['value']): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
