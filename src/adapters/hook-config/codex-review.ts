import { tryOr } from '../../core/try-or.ts';
import type { HookStatus } from '../../ports/hook-config.ts';
import { sha256 } from '../files/digest.ts';
import type { OwnCall } from './own-entry.ts';

/** What `config.toml` says about hooks. */
export interface CodexConfig {
  /** Hooks that the user has reviewed: `<file>:<event>:<entry>:<handler>` → digest, and whether they are on. */
  readonly reviewed: ReadonlyMap<string, { readonly hash: string | null; readonly isOn: boolean }>;
  /** Hooks are kept in this file too. */
  readonly hasHooks: boolean;
  /** The feature is switched off. */
  readonly isOff: boolean;
}

const STATE_TABLE = /^\[hooks\.state\.(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\]$/;
/** A path and some numbers; no table of a review is longer. */
const LONGEST_TABLE = 16_384;
const HOOK_TABLE = /^\[\[?hooks(?:\]|\.(?!state\b))/;

/**
 * Reads what Codex itself writes there, line by line: each table header is on its own line. A review in any other form
 * is not seen and counts as missing. Never writes: reviewing is for the user.
 */
export function readCodexConfig(toml: string): CodexConfig {
  const reviewed = new Map<string, { hash: string | null; isOn: boolean }>();
  let [hasHooks, isOff, table] = [false, false, ''];
  let current: { hash: string | null; isOn: boolean } | null = null;
  for (const raw of toml.split('\n')) {
    const line = raw.trim();
    if (line.startsWith('[')) {
      table = line;
      // An expression keeps a note of every letter between the quotes.
      const [, basic, literal] = (line.length > LONGEST_TABLE ? null : STATE_TABLE.exec(line)) ?? [];
      const key = literal ?? (basic === undefined ? undefined : unescaped(basic));
      current = key === undefined ? null : { hash: null, isOn: true };
      if (key !== undefined && current !== null) reviewed.set(key, current);
      hasHooks ||= HOOK_TABLE.test(line);
    } else if (table === '[features]') {
      isOff ||= /^(?:codex_)?hooks\s*=\s*false\b/.test(line);
    } else if (current !== null) {
      const hash = /^trusted_hash\s*=\s*"([^"]*)"/.exec(line)?.[1];
      if (hash !== undefined) current.hash = hash;
      if (/^enabled\s*=\s*false\b/.test(line)) current.isOn = false;
    }
  }
  return { reviewed, hasHooks, isOff };
}

/** Whether the user has reviewed every call of ours in the form in which it stands in the file now. */
export function reviewOf(
  calls: readonly OwnCall[],
  paths: readonly string[],
  { reviewed, isOff }: CodexConfig,
): { readonly review: HookStatus['review']; readonly isSwitchedOff: boolean } {
  const found = calls.map((call) => {
    const place = `${snakeCase(call.event)}:${call.groupIndex}:${call.handlerIndex}`;
    const entry = paths.map((path) => reviewed.get(`${path}:${place}`)).find((known) => known !== undefined);
    if (entry === undefined || entry.hash === null)
      return { review: 'unreviewed', isOn: entry?.isOn ?? true } as const;
    return { review: entry.hash === hashOf(call) ? 'reviewed' : 'changed', isOn: entry.isOn } as const;
  });
  const has = (review: HookStatus['review']) => found.some((one) => one.review === review);
  const review = has('unreviewed') ? 'unreviewed' : has('changed') ? 'changed' : 'reviewed';
  return {
    review: calls.length === 0 ? null : review,
    isSwitchedOff: isOff || found.some(({ isOn }) => !isOn),
  };
}

/** The digest that Codex 0.166.0 makes of an entry, with what it takes for granted written out and keys in order. */
function hashOf({ event, group, handlerIndex }: OwnCall): string {
  const { matcher, hooks } = group as { matcher?: unknown; hooks: readonly object[] };
  const handler = { async: false, ...hooks[handlerIndex] };
  const identity = {
    event_name: snakeCase(event),
    hooks: [handler],
    ...(matcher === undefined ? {} : { matcher }),
  };
  return `sha256:${sha256(JSON.stringify(inOrder(identity)))}`;
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([key, part]) => [key, inOrder(part)]));
}

function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function unescaped(text: string): string | undefined {
  return tryOr(undefined, () => String(JSON.parse(`"${text}"`)));
}
