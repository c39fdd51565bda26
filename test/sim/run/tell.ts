import type { Story, StoryEvent, StoryValue } from '../story/story.ts';
import type { Violation } from './outcome.ts';

/** So many lines of what happened last are told, fewer where the story itself is long. */
const MOST_TRACE = 12;
const LEAST_TRACE = 4;
/** A person reads no more than this at once. */
export const MOST_LINES = 29;
const FRAME = 5;

/** A story and the law that it breaks, in short sentences, one a line. */
export function tell(story: Story, violation: Violation): string[] {
  const { seed, sessions, hours, roundMs, config, events } = story;
  const settings = Object.entries({ ...config, ...(roundMs !== undefined && { roundMs }) }).map(
    ([name, value]) => `${name} ${shown(value)}`,
  );
  const room = Math.max(LEAST_TRACE, MOST_LINES - FRAME - events.length);
  const trace = violation.trace.slice(-Math.min(MOST_TRACE, room));
  return [
    `${sessions} sessions, ${hours} h, seed ${seed}${settings.length > 0 ? `; ${settings.join(', ')}` : ''}`,
    ...events.map((event) => `  ${clockTime(event.at)}  ${sentenceOf(event)}`),
    ...(trace.length > 0 ? ['and last of all:', ...trace.map((line) => `  ${line}`)] : []),
    `broken at ${clockTime(violation.at)}: ${violation.text}`,
    `the law ${violation.law}: ${violation.sentence}`,
  ];
}

function sentenceOf({ at: _, kind, ...fields }: StoryEvent): string {
  const words = Object.entries(fields).map(([name, value]) => {
    if (value === true) return name;
    return name === 'session' ? shown(value) : `${name} ${shown(value)}`;
  });
  return [kind, ...words].join(', ').replace(', ', words.length > 0 ? ': ' : '');
}

function shown(value: StoryValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(shown).join('+');
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${shown(inner)}`)
    .join(' ');
}

/** Time since the beginning, as a clock shows it. */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  const rest = ms % 1000 === 0 ? '' : `.${String(Math.floor(ms % 1000)).padStart(3, '0')}`;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${rest}`;
}
