import type { ConfigError } from '../config/check-config.ts';
import { Failure } from './failure.ts';

const SHOWN = 10;

/** Every mistake of the config files at once, so that nobody repairs them one run at a time. */
export function brokenConfig(errors: readonly ConfigError[]): Failure {
  const [first, ...others] = errors;
  if (first === undefined) return new Failure('usage', 'the config is broken');
  const details = others.slice(0, SHOWN - 1).map((error) => `${messageOf(error)} (${error.hint})`);
  const left = others.length - details.length;
  return new Failure('usage', messageOf(first), {
    hint: first.hint,
    details: left > 0 ? [...details, `and ${left} more`] : details,
  });
}

function messageOf({ file, key, value, text }: ConfigError): string {
  return key === null ? `${file} ${text}` : `${file}: ${key} = ${value} ${text}`;
}
