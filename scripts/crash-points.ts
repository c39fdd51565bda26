import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { CRASH_POINTS, KILLED, STEPS_NOT_KILLED, WITHOUT_STEP } from './crash-points-list.ts';
import { isLasting } from './lasting.ts';

/** One place in the engine that does something that stays done when rollcall is killed right after it. */
export interface LastingCall {
  readonly file: string;
  readonly within: string;
  readonly call: string;
}

/** A name under which a test can stop the process around a lasting step. */
export interface NamedStep {
  readonly file: string;
  readonly step: string;
}

/** The folders of the engine that act; the others look, or keep what only speeds up the next look. */
const FOLDERS = ['act', 'doctor', 'gate', 'layouts', 'reaper', 'settle'].map((name) => `src/engine/${name}`);

/** Every lasting call of the engine, and every step that has a name. */
export function findCrashPoints(files: readonly string[] = sources()): {
  readonly calls: LastingCall[];
  readonly steps: NamedStep[];
} {
  const found = files.map((file) => crashPointsIn(file, readFileSync(file, 'utf8')));
  return { calls: found.flatMap(({ calls }) => calls), steps: found.flatMap(({ steps }) => steps) };
}

function sources(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .sort(),
  );
}

/** Those of one file. */
export function crashPointsIn(file: string, text: string): { calls: LastingCall[]; steps: NamedStep[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const calls = new Map<string, LastingCall>();
  const steps = new Map<string, NamedStep>();
  const visit = (node: ts.Node, within: string): void => {
    const here = nameOf(node) ?? within;
    if (ts.isCallExpression(node)) {
      const call = lastingCall(node);
      if (call !== null) calls.set(`${here} ${call}`, { file, within: here, call });
      const step = stepName(node);
      if (step !== null) steps.set(step, { file, step });
    }
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(source, 'module');
  return { calls: [...calls.values()], steps: [...steps.values()] };
}

function lastingCall({ expression }: ts.CallExpression): string | null {
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const port = /(\w+)$/.exec(expression.expression.getText())?.[1] ?? '';
  const method = expression.name.text;
  return isLasting(port, method) ? `${port}.${method}` : null;
}

/** `step('name', …)`, `deed.step('name', …)`, `onStep?.('name', …)`, `recordStep(hands, 'name', …)`. */
function stepName({ expression, arguments: words }: ts.CallExpression): string | null {
  const callee = /(\w+)$/.exec(expression.getText())?.[1] ?? '';
  // Progress that is only told has no second word.
  if (words.length < 2) return null;
  const word = callee === 'recordStep' ? words[1] : /^(?:step|onStep)$/.test(callee) ? words[0] : undefined;
  return word !== undefined && ts.isStringLiteral(word) ? word.text : null;
}

function nameOf(node: ts.Node): string | null {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText() ?? null;
  const isTop = ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent);
  return isTop && ts.isSourceFile(node.parent.parent.parent) ? node.name.getText() : null;
}

export function keyOf({ file, within, call }: LastingCall): string {
  return `${file.replace('src/engine/', '')} ${within}: ${call}`;
}

/** What nobody kills around, and what is listed and gone. */
export function compareCrashPoints({ calls, steps }: ReturnType<typeof findCrashPoints>): string[] {
  const found = new Set(calls.map(keyOf));
  const killed = new Set(Object.values(KILLED).flatMap(({ steps: names }) => names));
  const listed = Object.entries(CRASH_POINTS).flatMap(([key, names]) =>
    names.split(', ').map((name) => [key, name] as const),
  );
  return [
    ...[...found].filter((key) => !(key in CRASH_POINTS)).map((key) => `no crash point: ${key}`),
    ...Object.keys(CRASH_POINTS)
      .filter((key) => !found.has(key))
      .map((key) => `listed, but not in the code: ${key}`),
    ...steps
      .filter((one) => (isOwn(one) ? !killed.has(one.step) : !STEPS_NOT_KILLED.includes(stepKey(one))))
      .map((one) => `never killed around: ${stepKey(one)}`),
    ...STEPS_NOT_KILLED.filter((key) => !steps.some((one) => stepKey(one) === key)).map(
      (key) => `listed, but not in the code: ${key}`,
    ),
    ...listed.filter(([, name]) => !isKnown(name)).map(([key, name]) => `${key}: no test kills at ${name}`),
  ];
}

/** Deeds of the doctor have steps of the same names. */
function isOwn(one: NamedStep): boolean {
  return !one.file.startsWith('src/engine/doctor/') && !STEPS_NOT_KILLED.includes(stepKey(one));
}

function stepKey({ file, step }: NamedStep): string {
  return `${file.replace('src/engine/', '')} ${step}`;
}

// `close/type`: the step of that name of a deed that a test goes through; else one of the words of the list.
function isKnown(name: string): boolean {
  const [deed = '', step] = name.split('/');
  return step === undefined ? Object.hasOwn(WITHOUT_STEP, name) : KILLED[deed]?.steps.includes(step) === true;
}

/** The page, or an error that names what no test kills around. */
export function crashPointsMarkdown(found = findCrashPoints()): string {
  const wrong = compareCrashPoints(found);
  if (wrong.length > 0)
    throw new Error(`scripts/crash-points-list.ts is not in step with src/engine:\n${wrong.join('\n')}`);
  const { calls } = found;
  const rows = calls.map(
    (call) =>
      `| \`${call.file.replace('src/engine/', '')}\` | \`${call.within}\` | ${call.call} | ${CRASH_POINTS[keyOf(call)]} |`,
  );
  const tests = Object.entries(KILLED).map(
    ([deed, { steps, test }]) => `| ${deed} | ${steps.join(', ')} | \`${test}\` |`,
  );
  const unkilled = [
    'Steps around which no test kills yet:',
    '',
    ...STEPS_NOT_KILLED.map((key) => `- \`${key}\``),
  ];
  const words = Object.entries(WITHOUT_STEP).map(([word, text]) => `- *${word}*: ${text}`);
  return `${[...HEADER, ...rows, '', ...words, '', ...TESTS, ...tests, '', ...unkilled].join('\n')}\n`;
}

const HEADER = [
  '# Crash points',
  '',
  'Every call in `src/engine` that leaves something behind when rollcall is killed right after it: entries of the ledger, archives,',
  'records, keys, signals, sessions, locks. `scripts/crash-points.ts` finds them in the syntax tree; `npm run docs -- --check` fails',
  'while one is not on the list (`scripts/crash-points-list.ts`), or names a step at which no test kills. Each step is killed before',
  'and after, on the real SQLite and a real tmux.',
  '',
  '| file | in | lasting call | killed at |',
  '|---|---|---|---|',
];

const TESTS = ['## Where it is killed', '', '| deed | steps | test |', '|---|---|---|'];
