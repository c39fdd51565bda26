import fc from 'fast-check';
import type { PaneEntry, Problem, Roll, SessionEntry } from '../../src/core/sight/roll.ts';
import type { Evidence } from '../../src/core/verdict/evidence.ts';
import type { Source } from '../../src/core/verdict/verdict.ts';
import { ACTIVITIES, BLOCKER_KINDS, LIFECYCLES, WAITING_FOR } from '../../src/core/verdict/verdict.ts';

const SOURCES: readonly Source[] = [
  ...(['tmux', 'process', 'screen', 'people', 'git', 'agent', 'history', 'declared', 'host'] as const),
];

/** Text as a hostile program would set it: title changes, clipboard writes, hyperlinks, bidi, broken UTF-16. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '\u001b]0;title\u0007',
    '\u001b]52;c;cm0gLXJm\u001b\\',
    '\u001b]8;;http://evil\u001b\\x',
    '\u009b31mred',
    '\u202edesrever\u2066',
    'line\nbreak\r\t',
    '\u0000\u007f\ufeff\u200b',
    '\ud800lone',
    '\u{e0041}tag',
    'plain name',
    '#(touch x)',
  ),
);

const at = fc.integer({ min: 0, max: 4_102_444_800_000 });
const pid = fc.nat(4_194_304);
const activity = fc.constantFrom(...ACTIVITIES);
const waitingFor = fc.option(fc.constantFrom(...WAITING_FOR));
const finding = fc.record({ code: hostileText, text: hostileText });

const pane: fc.Arbitrary<PaneEntry> = fc.record({
  paneId: hostileText,
  windowIndex: fc.nat(20),
  paneIndex: fc.nat(20),
  isActive: fc.boolean(),
  pid,
  program: fc.option(hostileText),
  activity,
  waitingFor,
  title: hostileText,
  cwd: fc.option(hostileText),
  isDead: fc.boolean(),
  exitStatus: fc.option(fc.nat(255)),
  exitSignal: fc.option(hostileText),
});

const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({
    kind: fc.constant('screen' as const),
    source: fc.constant('screen' as const),
    observedAt: at,
    paneId: hostileText,
    isPromptEmpty: fc.option(fc.boolean()),
    tail: fc.array(hostileText, { maxLength: 3 }),
  }),
  fc.record(
    {
      kind: fc.constant('sensor-unavailable' as const),
      source: fc.constantFrom(...SOURCES),
      observedAt: at,
      paneId: hostileText,
      text: hostileText,
    },
    { requiredKeys: ['kind', 'source', 'observedAt', 'text'] },
  ),
);

const blockerKind = fc.constantFrom(...BLOCKER_KINDS);

const entry: fc.Arbitrary<SessionEntry> = fc.record({
  key: hostileText,
  name: hostileText,
  sessionId: hostileText,
  createdAt: at,
  server: fc.record({
    socketPath: hostileText,
    label: hostileText,
    pid,
    startTicks: fc.nat(),
    version: fc.option(hostileText),
  }),
  agent: fc.option(
    fc.record({
      kind: hostileText,
      version: fc.option(hostileText),
      conversation: fc.option(hostileText),
      pid: fc.option(pid),
    }),
  ),
  activity,
  waitingFor,
  lifecycle: fc.constantFrom(...LIFECYCLES),
  since: at,
  reasons: fc.array(
    fc.record({ code: hostileText, source: fc.constantFrom(...SOURCES), observedAt: at, text: hostileText }),
    { minLength: 1, maxLength: 3 },
  ),
  blockers: fc.array(fc.record({ code: hostileText, kind: blockerKind, text: hostileText }), {
    maxLength: 2,
  }),
  protections: fc.array(finding, { maxLength: 2 }),
  checks: fc.array(
    fc.record({
      code: hostileText,
      kind: blockerKind,
      state: fc.constantFrom('met' as const, 'unmet' as const, 'unknown' as const),
      text: hostileText,
    }),
    { maxLength: 2 },
  ),
  role: fc.option(hostileText),
  task: fc.option(hostileText),
  owner: fc.option(hostileText),
  attached: fc.nat(5),
  memoryBytes: fc.option(fc.nat()),
  retainedUntil: fc.option(at),
  panes: fc.array(pane, { maxLength: 3 }),
  evidence: fc.array(evidence, { maxLength: 3 }),
});

const problem: fc.Arbitrary<Problem> = fc.record(
  { code: hostileText, text: hostileText, hint: hostileText, socketPath: hostileText },
  { requiredKeys: ['code', 'text'] },
);

/** Any roll that the types allow, with hostile text in every text field. */
export const arbitraryRoll: fc.Arbitrary<Roll> = fc.record({
  host: fc.record({ machineId: hostileText, bootId: hostileText, name: hostileText }),
  at,
  memory: fc.option(fc.record({ totalBytes: fc.nat(), availableBytes: fc.nat(), source: hostileText })),
  servers: fc.array(fc.record({ socketPath: hostileText, label: hostileText, version: hostileText }), {
    maxLength: 2,
  }),
  sessions: fc.array(entry, { maxLength: 4 }),
  problems: fc.array(problem, { maxLength: 2 }),
});

/** Characters that must never come out raw. Spelled out here, so that a hole in the product's own list shows. */
export const RAW =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

/** Every text in a value, keys too. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...textsOf(part)]);
}
