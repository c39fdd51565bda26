import fc from 'fast-check';
import type { Roll, SessionEntry } from '../../../src/core/sight/roll.ts';
import { ACTIVITIES, LIFECYCLES, WAITING_FOR } from '../../../src/core/verdict/verdict.ts';
import { entry, explained, NOW, pane, roll } from './samples.ts';

const NASTY = [
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\u009b31m',
  '\n',
  '\r',
  '\t',
  '\u202e',
  '\u2066',
  '漢字',
  '👨\u200d👩',
  'e\u0301',
  '\ud800',
  ' ',
  '\u0000',
];

/** Any code points at all, halves of surrogate pairs among them. */
export const codePoints = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength })
    .map((points) => String.fromCodePoint(...points));

/** Text as an attacker, or an unlucky program, would make it. */
export const hostileText = (): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...NASTY), codePoints(8), fc.string()), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''));

/** A roll in which every text, number and choice is arbitrary. */
export const hostileRoll = (): fc.Arbitrary<Roll> =>
  fc
    .record({
      sessions: fc.array(hostileEntry(), { maxLength: 6 }),
      problems: fc.array(fc.record({ code: hostileText(), text: hostileText(), hint: hostileText() }), {
        maxLength: 2,
      }),
    })
    .map(({ sessions, problems }) => roll(sessions, { problems }));

/** A session in which every text is hostile, also those inside its evidence. */
export function hostileEntry(): fc.Arbitrary<SessionEntry> {
  return fc
    .record({
      text: hostileText(),
      name: hostileText(),
      task: fc.option(hostileText()),
      activity: fc.constantFrom(...ACTIVITIES),
      waitingFor: fc.option(fc.constantFrom(...WAITING_FOR)),
      lifecycle: fc.constantFrom(...LIFECYCLES),
      since: fc.integer({ min: -NOW, max: 2 * NOW }),
      memoryBytes: fc.option(fc.nat()),
      number: fc.nat(),
    })
    .map(({ text, name, task, activity, waitingFor, lifecycle, since, memoryBytes, number }) => {
      const noted = { code: text, text, source: 'tmux' as const, observedAt: since };
      const sample = explained();
      return entry(name, {
        ...{ key: `${number}`, task, activity, waitingFor, lifecycle, since, memoryBytes },
        server: { ...sample.server, label: text, socketPath: `/${text}` },
        agent: { kind: text, version: text, conversation: text, pid: 1 },
        reasons: [noted, noted],
        blockers: [{ ...noted, kind: 'would-lose' }],
        protections: [noted],
        checks: [{ ...noted, kind: 'would-lose', state: 'unknown' }],
        panes: [
          pane({ title: text, cwd: text, program: text }),
          pane({ paneId: text, isDead: true, exitSignal: text }),
        ],
        evidence: sample.evidence.map((piece) => poisoned(piece, text)),
      });
    });
}

/** The text without rollcall's own colours; anything else that begins with ESC stays. */
export function withoutPaint(text: string): string {
  return text.replace(/\u001b\[[0-7]{1,2}m/g, '');
}

function poisoned<T>(value: T, text: string): T {
  const kept = new Set(['kind', 'source', 'relation', 'role', 'state', 'says', 'paneId']);
  return JSON.parse(JSON.stringify(value), (key, part) =>
    typeof part === 'string' && !kept.has(key) ? text : part,
  );
}
