import type { LoadedConfig } from './load.ts';
import { formatValue } from './parse-value.ts';
import type { Kind, ProjectMay } from './settings.ts';
import { SETTINGS } from './settings.ts';

type Written = string | number | readonly string[];

/** One setting as `rollcall config explain` shows it; values are written as a file would have them. */
export interface ExplainedSetting {
  readonly key: string;
  readonly kind: Kind;
  readonly value: Written;
  readonly default: Written;
  /** `default`, or the files that decided it. */
  readonly source: string;
  readonly bounds: { readonly min: Written; readonly max: Written };
  readonly projectMay: ProjectMay;
  readonly means: string;
  readonly why: string;
}

/** Every setting with its value, where that came from, its bounds, and why the default is what it is. */
export function explainConfig(config: LoadedConfig): ExplainedSetting[] {
  return SETTINGS.map((setting) => ({
    key: setting.key,
    kind: setting.kind,
    value: formatValue(setting.kind, config.values[setting.key]),
    default: formatValue(setting.kind, setting.default),
    source: config.sources.get(setting.key)?.join(' + ') ?? 'default',
    bounds: { min: formatValue(setting.kind, setting.min), max: formatValue(setting.kind, setting.max) },
    projectMay: setting.projectMay,
    means: setting.means,
    why: setting.why,
  }));
}
