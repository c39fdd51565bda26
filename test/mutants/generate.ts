import ts from 'typescript';
import { type Change, changesAt } from './changes.ts';
import { type Mutant, nameIn } from './mutant.ts';

/** Names of what is only read by people. */
const TEXTS: ReadonlySet<string> = new Set(
  'text hint why how what where detail title more stay whom shown'.split(' '),
);

/** The mutants of one source, and the source with all of them in it, each behind its switch `$m(id)`. */
export interface Mutated {
  readonly mutants: readonly Mutant[];
  readonly code: string;
}

interface Insertion {
  readonly at: number;
  readonly isEnd: boolean;
  readonly depth: number;
  readonly text: string;
}

/** Makes every mutant of a source; their numbers begin with `firstId`. */
export function mutated(file: string, source: string, firstId = 0): Mutated {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true);
  const mutants: Mutant[] = [];
  const insertions: Insertion[] = [];
  const seen = new Map<string, number>();
  const add = (change: Change) => {
    const { node, to } = change;
    const [within, isStatic] = placeOf(node);
    const from = change.around === 'body' ? 'all of it' : shown(node.getText());
    const plain = `${from} → ${shown(to) || 'nothing'}`;
    const key = nameIn({ within, change: plain });
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const id = firstId + mutants.length;
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    mutants.push({ id, file, line, within, change: times > 1 ? `${plain} (${times})` : plain, isStatic });
    const [before, after] = switched(change, id);
    const depth = insertions.length;
    const isBlock = change.around === 'body' && ts.isBlock(node);
    const start = isBlock ? node.getStart() + 1 : node.getStart();
    insertions.push({ at: start, isEnd: false, depth, text: before });
    insertions.push({ at: node.getEnd(), isEnd: true, depth, text: after });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || isText(node)) return;
    if (node.parent !== undefined) for (const change of changesAt(node)) add(change);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { mutants, code: `const $m = globalThis.rollcallMutants.ask; ${inserted(source, insertions)}` };
}

// Whatever opens first closes last; what closes at a place comes before what opens there.
function inserted(source: string, insertions: readonly Insertion[]): string {
  const sorted = [...insertions].sort(
    (a, b) =>
      a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? b.depth - a.depth : a.depth - b.depth),
  );
  let [code, from] = ['', 0];
  for (const { at, text } of sorted) {
    code += source.slice(from, at) + text;
    from = at;
  }
  return code + source.slice(from);
}

function switched({ node, around, to }: Change, id: number): readonly [string, string] {
  if (around === 'element') return [`...($m(${id}) ? [] : [`, '])'];
  if (around === 'statement') return [`{ if (!$m(${id})) { `, ' } }'];
  if (around === 'body' && ts.isBlock(node)) return [` if ($m(${id})) return ${to};`, ''];
  return [`($m(${id}) ? (${to}) : (`, '))'];
}

function isText(node: ts.Node): boolean {
  if (ts.isTemplateExpression(node) || ts.isThrowStatement(node) || ts.isImportDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node))
    return ts.isIdentifier(node.name) && TEXTS.has(node.name.text);
  return false;
}

/** The outermost name around a node, and whether it is worked out while the file is loaded. */
function placeOf(node: ts.Node): readonly [string, boolean] {
  let [name, isStatic] = ['', true];
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at.parent) && (at.parent as ts.FunctionLikeDeclaration).body === at)
      isStatic = false;
    const named = at as ts.Node & { readonly name?: ts.Node };
    if (named.name !== undefined && ts.isIdentifier(named.name) && isDeclared(at)) name = named.name.text;
  }
  return [name, isStatic];
}

function isDeclared(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isClassDeclaration(node);
}

const SHOWN = 90;

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
