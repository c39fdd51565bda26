import { parseValue } from '../../config/parse-value.ts';
import { Failure } from '../../operations/failure.ts';

/** Reads a flag's duration and holds it to its bounds. */
export function readDuration(
  flag: string,
  written: string,
  bounds: { readonly min: number; readonly max: number },
): number {
  const parsed = parseValue({ kind: 'duration', ...bounds }, written);
  if (parsed.isValid) return Number(parsed.value);
  throw new Failure('usage', `--${flag}=${written} ${parsed.text}`, { hint: parsed.hint });
}
