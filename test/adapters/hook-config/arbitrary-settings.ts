import fc from 'fast-check';
import type { JsonHookAgent } from '../../../src/adapters/hook-config/hook-agents.ts';

export const EVENTS: Readonly<Record<JsonHookAgent, readonly string[]>> = {
  claude: ['SessionStart', 'SessionEnd', 'PreToolUse', 'Stop'],
  codex: ['SessionStart', 'SessionEnd', 'Interrupt', 'Stop'],
  gemini: ['SessionStart', 'BeforeAgent', 'AfterAgent', 'Notification'],
};

const word = fc.oneof(
  fc.constantFrom('a', 'model', 'env', 'permissions', '__proto__', 'toString', 'Ünï', 'a"b\\c', '', ' '),
  fc.string({ maxLength: 6 }),
);
const scalar = fc.oneof(fc.constantFrom(null, true, false, 0, -1.5e3, 1e21), fc.string({ maxLength: 8 }));
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('node'), { maxLength: 3 }),
    objectOf(fc.array(fc.tuple(word, tie('node')), { maxLength: 3 })),
  ),
})).node as fc.Arbitrary<unknown>;

/** Members that JSON.stringify writes in this very order, `__proto__` too. */
class Members {
  readonly pairs: readonly (readonly [string, unknown])[];

  constructor(pairs: readonly (readonly [string, unknown])[]) {
    this.pairs = pairs;
  }
}

function objectOf(pairs: fc.Arbitrary<[string, unknown][]>): fc.Arbitrary<Members> {
  return pairs.map((list) => new Members([...new Map(list)]));
}

const userGroup = fc.constantFrom<unknown>(
  { matcher: 'Bash', hooks: [{ type: 'command', command: '/usr/bin/say done' }] },
  { hooks: [{ type: 'command', command: "'/opt/other/hook.sh' claude Stop" }] },
  { hooks: [] },
  'odd',
);

function hooksOf(events: readonly string[]): fc.Arbitrary<unknown> {
  const names = fc.uniqueArray(fc.constantFrom(...events, 'Other', 'enabled'), { maxLength: 4 });
  return names.chain((list) =>
    fc
      .tuple(...list.map((name) => (name === 'enabled' ? scalar : fc.array(userGroup, { maxLength: 2 }))))
      .map((parts) => new Members(list.map((name, index) => [name, parts[index]]))),
  );
}

/** How a person, or a program, may have laid a file out. */
export interface Written {
  readonly agent: JsonHookAgent;
  readonly text: string;
}

const style = fc.record({
  indent: fc.constantFrom('', '  ', '    ', '\t', ' '),
  newline: fc.constantFrom('\n', '\r\n'),
  ending: fc.constantFrom('', '\n', '\n\n', '  '),
  blank: fc.constantFrom('', ' '),
  isOneLine: fc.boolean(),
  hasMark: fc.boolean(),
  comments: fc.constantFrom('none', 'line', 'block'),
});

/** A file of settings that the agent itself would read, in any of the layouts that are seen. */
export const settingsFile: fc.Arbitrary<Written> = fc
  .constantFrom<JsonHookAgent>('claude', 'codex', 'gemini')
  .chain((agent) =>
    fc.record({
      agent: fc.constant(agent),
      members: fc.array(
        fc.oneof(
          { arbitrary: fc.tuple(word, value), weight: 2 },
          fc.tuple(fc.constant('hooks'), hooksOf(EVENTS[agent])),
        ),
        { maxLength: 4 },
      ),
      style,
    }),
  )
  .map(({ agent, members, style: chosen }) => {
    const root = new Members(
      [...new Map(members)].filter(([key, part]) => key !== 'hooks' || part instanceof Members),
    );
    const comments = agent === 'gemini' && !chosen.isOneLine ? chosen.comments : 'none';
    const text = written(root, '', { ...chosen, comments });
    const mark = agent === 'claude' && chosen.hasMark ? '\ufeff' : '';
    return { agent, text: mark + text + chosen.ending.replaceAll('\n', chosen.newline) };
  });

interface Style {
  readonly indent: string;
  readonly newline: string;
  readonly blank: string;
  readonly isOneLine: boolean;
  readonly comments: string;
}

function written(node: unknown, indent: string, how: Style): string {
  if (node instanceof Members || (typeof node === 'object' && node !== null && !Array.isArray(node))) {
    const pairs = node instanceof Members ? node.pairs : Object.entries(node);
    const items = pairs.map(
      ([key, part]) =>
        `${JSON.stringify(key)}${how.blank}:${how.blank}${written(part, indent + how.indent, how)}`,
    );
    return container('{', items, '}', indent, how);
  }
  if (!Array.isArray(node)) return JSON.stringify(node);
  const items = node.map((part) => written(part, indent + how.indent, how));
  return container('[', items, ']', indent, how);
}

function container(open: string, items: string[], close: string, indent: string, how: Style): string {
  if (items.length === 0) return `${open}${how.blank}${close}`;
  if (how.isOneLine) return `${open}${how.blank}${items.join(`,${how.blank}`)}${how.blank}${close}`;
  const remark = { none: '', line: ' // "remark", {', block: ' /* remark ] */' }[how.comments] ?? '';
  const inner = how.newline + indent + how.indent;
  return `${open}${remark}${inner}${items.join(`,${remark}${inner}`)}${remark}${how.newline}${indent}${close}`;
}
