import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { succeeds } from '../../core/try-or.ts';
import type { HookAgent, HookScope, HookStatus } from '../../ports/hook-config.ts';
import { leftoversOf } from '../files/leftovers.ts';
import { readUserFile, type UserFile } from '../files/user-file.ts';
import { backupsBeside, listBackups } from './backups.ts';
import { readCodexConfig, reviewOf } from './codex-review.ts';
import type { JsonHookAgent } from './hook-agents.ts';
import { isCurrent } from './json-plan.ts';
import { memberOf, plainValue } from './json-text.ts';
import { opencodePlugin, PLUGIN_MARK } from './opencode-plugin.ts';
import type { HookConfigOptions } from './options.ts';
import type { Places } from './places.ts';
import { wantedHooks } from './prepare.ts';
import { readSettings, type SettingsText } from './settings-text.ts';
import { textIn } from './work.ts';

/** The lines of the script and of the plugin that name a file of this machine: where Node.js is, and rollcall. */
const OWN_FILE = /^(?:const )?(?:node|program) ?= ?(['"])(.*)\1$/gm;

/**
 * Whether two hooks do the same. Another Node.js, or another place of rollcall, is as good as long as both files exist:
 * people switch between versions of Node.js all day.
 */
function isSameHook(text: string | null, wanted: string): boolean {
  if (text === null || text === wanted) return text !== null;
  const files = [...text.matchAll(OWN_FILE)].map(([, , file]) => file ?? '');
  return (
    text.replace(OWN_FILE, '') === wanted.replace(OWN_FILE, '') && files.every((file) => existsSync(file))
  );
}

type Found = Pick<HookStatus, 'state'> &
  Partial<Pick<HookStatus, 'events' | 'isSwitchedOff' | 'review' | 'notes'>>;

/** What the hooks of each agent are, for the user and in the project that the current folder is in. */
export function statusOf(
  places: Places,
  options: HookConfigOptions,
  agents: readonly HookAgent[],
): HookStatus[] {
  const scopes: readonly HookScope[] = places.project === null ? ['user'] : ['user', 'project'];
  return agents.flatMap((agent) =>
    scopes.map((scope) => {
      const file = places.fileOf(agent, scope);
      const found = foundIn(file, agent, places, options);
      const { events = [] } = found;
      const folders = [
        ['the folder that events go to is missing', options.spoolFolder],
        ['the folder of the stop gate is missing', join(options.gate.folder, 'stops')],
      ] as const;
      const missing = events.length === 0 ? [] : folders.filter(([, folder]) => !existsSync(folder));
      return {
        agent,
        scope,
        file,
        state: missing.length > 0 ? 'outdated' : found.state,
        events,
        missing: options.events[agent].filter((event) => !events.includes(event)),
        isSwitchedOff: found.isSwitchedOff ?? false,
        review: found.review ?? null,
        lastHeardAt: options.lastHeardAt?.(agent) ?? null,
        notes: [
          ...(found.notes ?? []),
          ...missing.map(([text, folder]) => `${text}: ${folder}`),
          ...leftoversOf(file, options.backups.folder).map(({ path }) => `${LEFT}: ${path}`),
        ],
        ...listBackups(options.backups, file),
        oldBackups: backupsBeside(file),
      };
    }),
  );
}

const LEFT = 'a call that was killed left this, and the next install or remove clears it up';

function foundIn(path: string, agent: HookAgent, places: Places, options: HookConfigOptions): Found {
  const file = readUserFile(path);
  if (file.state === 'absent') return { state: 'not-installed' };
  if (file.state === 'wrong') return unreadable(file.problem.text);
  return agent === 'opencode' ? pluginIn(file.text, options) : hooksIn(file, agent, places, options);
}

function pluginIn(text: string, options: HookConfigOptions): Found {
  if (!text.startsWith(PLUGIN_MARK)) {
    const notes = ['there is a plugin of this name that rollcall has not written'];
    return { state: 'not-installed', notes };
  }
  const isSame = isSameHook(text, opencodePlugin(options));
  return { state: isSame ? 'installed' : 'outdated', events: options.events.opencode };
}

function hooksIn(
  { path, text }: UserFile,
  agent: JsonHookAgent,
  places: Places,
  options: HookConfigOptions,
): Found {
  const wanted = wantedHooks(agent, places, options);
  const settings = readSettings(text, wanted);
  if (settings.state === 'wrong') return unreadable(settings.text);
  if (settings.state === 'blank' || settings.own.length === 0) return { state: 'not-installed' };
  const { own } = settings;
  const events = [...new Set(own.map(({ event }) => event))];
  const scripts = [...new Set(own.map(({ script }) => script))];
  const gone = scripts.filter((script) => !succeeds(() => accessSync(script, constants.X_OK)));
  const isPartly = wanted.events.some((event) => !events.includes(event));
  const isNow = isCurrent(own, wanted) && isSameHook(textIn(readUserFile(places.script)), options.script);
  const state = gone.length > 0 ? 'script-missing' : isPartly ? 'partly' : isNow ? 'installed' : 'outdated';
  const review =
    agent === 'codex' ? codexReview(path, settings, places) : { review: null, isSwitchedOff: false };
  return {
    state,
    events,
    review: review.review,
    isSwitchedOff: review.isSwitchedOff || isOffIn(agent, settings),
    notes: gone.map((script) => `the script that it calls is missing or cannot be run: ${script}`),
  };
}

function codexReview(path: string, { own }: SettingsText, { codexConfig }: Places) {
  return reviewOf(own, [path, realpathSync(path)], readCodexConfig(textIn(readUserFile(codexConfig)) ?? ''));
}

function isOffIn(agent: JsonHookAgent, { json: { root } }: SettingsText): boolean {
  if (agent === 'claude') return plainValue(memberOf(root, 'disableAllHooks')) === true;
  const config = memberOf(root, 'hooksConfig');
  const disabled = plainValue(memberOf(config, 'disabled'));
  return (
    plainValue(memberOf(config, 'enabled')) === false ||
    (Array.isArray(disabled) && disabled.includes('rollcall'))
  );
}

function unreadable(text: string): Found {
  return { state: 'unreadable', notes: [text] };
}
