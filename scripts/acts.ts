import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ACTS } from './acts-list.ts';

/** One place in src that signals, types, changes tmux or removes something. */
export interface Act {
  readonly file: string;
  /** The function around it; `module` outside of any. */
  readonly within: string;
  readonly what: string;
}

/** Methods of the ports that act on sessions and processes. */
const PORT_ACTS = new Set([
  'type',
  'press',
  'removeSession',
  'signal',
  'startSession',
  'layOut',
  'letGo',
  'stamp',
]);
const PORTS = /(?:^|\.)(?:tmux|processes|actuator)$/;

/** What ends a process. */
const SIGNALS = new Set(['kill']);

/** What removes or replaces a file. */
const REMOVALS =
  /^(?:(?:unlink|rm|rmdir|rename|swap|ftruncate|truncate)(?:Sync)?|removeQuietly|replaceFile)$/;

/** Commands that change something on a tmux server. */
const TMUX_ACTS = new Set(
  [
    'kill-pane kill-server kill-session kill-window send-keys send-prefix paste-buffer load-buffer set-buffer delete-buffer',
    'set-option set-window-option set-hook set-environment respawn-pane respawn-window detach-client switch-client run-shell',
    'if-shell source-file new-session new-window split-window move-pane move-window join-pane break-pane swap-pane swap-window',
    'link-window unlink-window rename-session rename-window resize-pane resize-window select-pane select-window select-layout',
    'clear-history lock-server lock-session lock-client suspend-client pipe-pane copy-mode display-popup confirm-before',
  ].flatMap((line) => line.split(' ')),
);

/** The same inside of texts that a shell or another program runs. */
const SHELL_ACTS =
  /(?:^|[\s;&|({])(kill|rm|mv|truncate)\s+(?=["$\-/\w])|\b(process\.kill|unlinkSync|rmSync|renameSync)\(/gm;

/** What changes rows of a database. */
const SQL_ACTS = /^\s*(DELETE|DROP|UPDATE|REPLACE|VACUUM)\b/;

/** Every act in src, in the order of files. */
export function findActs(root = 'src'): Act[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, name).replaceAll('\\', '/'))
    .sort();
  return files.flatMap((file) => actsIn(file, readFileSync(file, 'utf8')));
}

/** Every act in one file. */
export function actsIn(file: string, text: string): Act[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Act>();
  const visit = (node: ts.Node, within: string): void => {
    const here = nameOf(node) ?? within;
    for (const what of actsOf(node)) {
      const act = { file, within: here, what };
      found.set(keyOf(act), act);
    }
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(source, 'module');
  return [...found.values()];
}

export function keyOf({ file, within, what }: Act): string {
  return `${file} ${within}: ${what}`;
}

/** What is found and not listed, and what is listed and not found. */
export function compareActs(acts: readonly Act[]): { readonly missing: string[]; readonly stale: string[] } {
  const found = new Set(acts.map(keyOf));
  return {
    missing: [...found].filter((key) => !(key in ACTS)),
    stale: Object.keys(ACTS).filter((key) => !found.has(key)),
  };
}

/** The page, or an error that names what is not on the list. */
export function actsMarkdown(acts: readonly Act[] = findActs()): string {
  const { missing, stale } = compareActs(acts);
  if (missing.length + stale.length > 0) {
    const lines = [
      ...missing.map((key) => `not on the list: ${key}`),
      ...stale.map((key) => `listed, but not in the code: ${key}`),
    ];
    throw new Error(`scripts/acts-list.ts is not in step with src:\n${lines.join('\n')}`);
  }
  const rows = acts.map(
    (act) => `| \`${act.file}\` | \`${act.within}\` | ${act.what} | ${ACTS[keyOf(act)]} |`,
  );
  return `${[...HEADER, ...rows].join('\n')}\n`;
}

const HEADER = [
  '# Acts',
  '',
  'Every place in `src` that signals a process, types, changes a tmux server, or removes or replaces a file, with the proof',
  'that it demands. `scripts/acts.ts` finds them in the syntax tree; `npm run docs -- --check` fails while one is not on',
  'the list (`scripts/acts-list.ts`). [LAWS.md](LAWS.md) says what is promised.',
  '',
  '| file | in | act | proof that it demands |',
  '|---|---|---|---|',
];

function actsOf(node: ts.Node): string[] {
  if (ts.isCallExpression(node)) return callActs(node);
  // A function that is handed over by its name acts wherever it is called.
  if (ts.isIdentifier(node) && REMOVALS.test(node.text) && isHandedOver(node)) return [node.text];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
    return textActs(ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : node.text);
  }
  return [];
}

function callActs(node: ts.CallExpression): string[] {
  const callee = node.expression;
  if (ts.isIdentifier(callee)) return REMOVALS.test(callee.text) ? [callee.text] : [];
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const method = callee.name.text;
  const on = callee.expression.getText();
  if (SIGNALS.has(method)) return [isProbe(node) ? `${on}.${method} 0` : `${on}.${method}`];
  if (REMOVALS.test(method) && /fs|promises/.test(on)) return [method];
  return PORT_ACTS.has(method) && PORTS.test(on) ? [`${on}.${method}`] : [];
}

// Signal 0 only asks whether somebody is there.
function isProbe({ arguments: words }: ts.CallExpression): boolean {
  return words[1]?.getText() === '0';
}

function isHandedOver(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.arguments.includes(node);
  return ts.isPropertyAssignment(parent) && parent.initializer === node;
}

function textActs(text: string): string[] {
  const [first = ''] = text.split(' ', 1);
  if (TMUX_ACTS.has(first)) return [`tmux ${first}`];
  const sql = SQL_ACTS.exec(text)?.[1];
  if (sql !== undefined) return [`SQL ${sql}`];
  // Prose has words such as "kill" too; a program has lines.
  if (!text.includes('\n')) return [];
  return [...new Set([...text.matchAll(SHELL_ACTS)].map(([, word, call]) => `text: ${word ?? call}`))];
}

function nameOf(node: ts.Node): string | null {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node)) {
    return node.name?.getText() ?? null;
  }
  const isTop = ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent);
  return isTop && ts.isSourceFile(node.parent.parent.parent) ? node.name.getText() : null;
}
