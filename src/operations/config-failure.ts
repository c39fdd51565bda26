import { wordsOf } from '../config/broken-project.ts';
import type { ConfigError } from '../config/check-config.ts';
import { defaultValues, type Settings, toSettings } from '../config/settings.ts';
import { Failure } from './failure.ts';

const SHOWN = 10;

/** Every mistake of the config files at once, so that nobody repairs them one run at a time. */
export function brokenConfig(errors: readonly ConfigError[]): Failure {
  const [first, second] = errors;
  if (first !== undefined && second === undefined) {
    return new Failure('usage', wordsOf(first), { hint: first.hint });
  }
  const details = errors.slice(0, SHOWN).map((error) => `${wordsOf(error)}: ${error.hint}`);
  const left = errors.length - details.length;
  return new Failure('usage', `${errors.length} mistakes in the config`, {
    details: left > 0 ? [...details, `and ${left} more`] : details,
  });
}

/** The settings, or the standard ones where they cannot be had, whatever the reason. */
export async function settingsOrStandard(config: () => Promise<Settings>): Promise<Settings> {
  try {
    return await config();
  } catch {
    return toSettings(defaultValues());
  }
}
