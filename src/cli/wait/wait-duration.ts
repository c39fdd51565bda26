import { duration } from '../../config/measure-kinds.ts';
import { parseValue } from '../../config/setting.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { Failure } from '../../operations/failure.ts';

/** Reads a flag's duration and holds it to its bounds. */
export function readDuration(
  flag: string,
  written: string,
  bounds: { readonly min: number; readonly max: number },
): number {
  const parsed = parseValue(duration(formatDuration(bounds.min), formatDuration(bounds.max)), written);
  if (parsed.isValid) return parsed.value;
  throw new Failure('usage', `--${flag}=${written} ${parsed.text}`, { hint: parsed.hint });
}
