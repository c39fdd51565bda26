import type { Value } from '../../../src/config/setting.ts';
import { type Settings, toSettings } from '../../../src/config/settings.ts';
import { settingValues } from '../../../src/config/settings-table.ts';

/** The settings of rollcall: what files say, by the keys of `config explain` and with times in ms, and the usual for all else. */
export function settingsOf(said: Readonly<Record<string, Value>> = {}): Settings {
  return toSettings(settingValues(said));
}
