/** The agents whose payloads are made, with a conversation of each. */
export const CONVERSATIONS = {
  claude: 'dcd6fa02-a433-4de1-b684-6e62d62f1f75',
  codex: '01a1dcce-2607-78b1-ade8-eb1000f5e2c0',
  gemini: '44b87efa-351f-43fe-bc58-cac5926497d5',
  opencode: 'ses_1dcce2607ffe78b1adE8eb1000',
} as const;
export type OddAgent = keyof typeof CONVERSATIONS;
export const ODD_AGENTS = Object.keys(CONVERSATIONS) as readonly OddAgent[];

/** Something that a hook might be handed at the end of a turn. */
export interface OddPayload {
  readonly agent: OddAgent;
  /** How it was made, for a failure's message. */
  readonly kind: string;
  readonly bytes: Buffer;
}

/** What the agents send, as it was captured. */
export const TRUE_PAYLOADS: Readonly<Record<OddAgent, Readonly<Record<string, unknown>>>> = {
  claude: {
    session_id: CONVERSATIONS.claude,
    transcript_path: `/home/dev/.claude/projects/-home-dev-work/${CONVERSATIONS.claude}.jsonl`,
    cwd: '/home/dev/work',
    permission_mode: 'default',
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: 'Done.',
    background_tasks: [],
    session_crons: [],
  },
  codex: {
    session_id: CONVERSATIONS.codex,
    turn_id: '01a1dcce-64c5-70a0-9e8e-0b520ea9ee14',
    transcript_path: `/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T01-24-20-${CONVERSATIONS.codex}.jsonl`,
    cwd: '/home/dev/work',
    hook_event_name: 'Stop',
    model: 'fake-model',
    permission_mode: 'default',
    stop_hook_active: false,
    last_assistant_message: 'Done.',
  },
  gemini: {
    session_id: CONVERSATIONS.gemini,
    transcript_path: '/home/dev/.gemini/tmp/work/chats/session-2026-11-15T01-46-44b87efa.jsonl',
    cwd: '/home/dev/work',
    hook_event_name: 'AfterAgent',
    timestamp: '2026-11-15T01:46:55.505Z',
    prompt: 'DONE',
    prompt_response: 'Done. ',
    stop_hook_active: false,
  },
  opencode: {
    type: 'session.idle',
    properties: {
      sessionID: CONVERSATIONS.opencode,
      info: { id: CONVERSATIONS.opencode, parentID: null },
      messageID: 'msg_1',
    },
    stop_hook_active: false,
  },
};

/** Payloads that are garbage, huge, cut, incomplete, of wrong types or of another; the same for the same seed. */
export function* oddPayloads(count: number, { seed = 1, hugeBytes = 1_200_000 } = {}): Generator<OddPayload> {
  const dice = createDice(seed);
  for (let index = 0; index < count; index += 1) {
    const agent = dice.pick(ODD_AGENTS);
    const [kind, make] = dice.pick(KINDS);
    // Few of them: each takes as long as a hundred others.
    const isHuge = index % 100 === 99;
    const made = isHuge ? huge(agent, dice, hugeBytes) : make(agent, dice);
    yield { agent, kind: isHuge ? 'huge' : kind, bytes: typeof made === 'string' ? Buffer.from(made) : made };
  }
}

interface Dice {
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
}

// mulberry32: small, and the same everywhere.
function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
}

type Make = (agent: OddAgent, dice: Dice) => string | Buffer;

const KINDS: readonly (readonly [string, Make])[] = [
  ['bytes', (_agent, dice) => Buffer.from(Array.from({ length: dice.below(300) }, () => dice.below(256)))],
  [
    'no object',
    (_agent, dice) => dice.pick(['', 'null', '5', '""', '[]', '[{}]', 'true', '{', '}', '{}', '\0']),
  ],
  ['cut', (agent, dice) => cut(JSON.stringify(TRUE_PAYLOADS[agent]), dice)],
  ['missing', (agent, dice) => JSON.stringify(changed(agent, dice, () => undefined))],
  ['wrong type', (agent, dice) => JSON.stringify(changed(agent, dice, () => dice.pick(WRONG)))],
  ['odd text', (agent, dice) => JSON.stringify(changed(agent, dice, () => dice.pick(ODD_TEXTS)))],
  ['of another', (agent, dice) => JSON.stringify(changed(agent, dice, (key) => ofAnother(key, dice)))],
  ['wrapped', (agent, dice) => dice.pick(WRAPPERS)(JSON.stringify(TRUE_PAYLOADS[agent]))],
  ['doubled', (agent, dice) => doubled(agent, dice)],
  ['deep', (_agent, dice) => '{"a":'.repeat(1 + dice.below(3000))],
];

const WRONG: readonly unknown[] = [
  null,
  0,
  1,
  -1,
  1e308,
  true,
  false,
  'true',
  'false',
  '',
  [],
  ['x'],
  {},
  { toString: 'x', length: 1 },
  { session_id: CONVERSATIONS.claude },
  [CONVERSATIONS.claude],
];

const ODD_TEXTS: readonly string[] = [
  ' ',
  '\0',
  '\n',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '\u001b]0;title\u0007',
  '\u202e\ud800',
  '$(touch /tmp/x)',
  "'; exit 10; '",
  `${CONVERSATIONS.claude} `,
  `${CONVERSATIONS.claude}\n`,
  CONVERSATIONS.codex.toUpperCase(),
  'ses_',
  'x'.repeat(10_000),
];

const WRAPPERS: readonly ((text: string) => string | Buffer)[] = [
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => `[${text}]`,
  (text) => `${text}garbage`,
  (text) => `"${text}"`,
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
];

function cut(text: string, dice: Dice): string {
  return text.slice(0, dice.below(text.length));
}

/** The payload with some of its members changed, also those of its parts. */
function changed(agent: OddAgent, dice: Dice, change: (key: string) => unknown): unknown {
  const change1 = (value: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const members = Object.entries(value);
    const hit = dice.below(members.length);
    return Object.fromEntries(
      members.map(([key, part], index) => {
        const isPart = typeof part === 'object' && part !== null && !Array.isArray(part);
        if (isPart && dice.below(2) === 0) return [key, change1(part as Record<string, unknown>)];
        return [key, index === hit || dice.below(6) === 0 ? change(key) : part];
      }),
    );
  };
  const made = change1(TRUE_PAYLOADS[agent]);
  return dice.below(5) === 0 ? { ...made, agent_id: dice.pick([...WRONG, ...ODD_TEXTS]) } : made;
}

function ofAnother(key: string, dice: Dice): unknown {
  const other = TRUE_PAYLOADS[dice.pick(ODD_AGENTS)];
  return Object.hasOwn(other, key) ? other[key] : dice.pick(Object.values(other));
}

/** The last member of a name counts, as JSON.parse has it. */
function doubled(agent: OddAgent, dice: Dice): string {
  const text = JSON.stringify(TRUE_PAYLOADS[agent]);
  const key = dice.pick([
    'session_id',
    'stop_hook_active',
    'hook_event_name',
    'type',
    'agent_id',
    '__proto__',
  ]);
  return `${text.slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(dice.pick(WRONG))}}`;
}

function huge(agent: OddAgent, dice: Dice, bytes: number): string {
  const long = 'ä'.repeat(bytes / 2);
  const message = dice.pick(['last_assistant_message', 'prompt_response', 'session_id', 'zzz']);
  const members = { ...TRUE_PAYLOADS[agent], [message]: long };
  const entries = Object.entries(members);
  return JSON.stringify(dice.below(2) === 0 ? members : Object.fromEntries(entries.reverse()));
}
