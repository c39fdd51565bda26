import ts from 'typescript';
import { isBoolean, isComparison, isLogical, withoutParentheses } from './boolean.ts';
import { neutralAnswers } from './neutral.ts';

/** How the source at a node reads with a change: `around` says how the change is switched in and out. */
export interface Change {
  readonly node: ts.Node;
  readonly around: 'expression' | 'statement' | 'body' | 'element';
  readonly to: string;
}

const OTHER_BOUNDARY: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const OTHER_SUM: Readonly<Record<string, string>> = { '-': '+', '*': '/', '/': '*' };
const OTHER_CALL: Readonly<Record<string, string>> = { some: 'every', every: 'some', min: 'max', max: 'min' };
/** What a check says of a session, and what speaks for closing it all the same. */
const OTHER_WORD: Readonly<Record<string, string>> = {
  unmet: 'met',
  unknown: 'met',
  'would-lose': 'unfinished',
};

/** Every change that is made at one node, but those that nothing can tell. */
export function changesAt(node: ts.Node): Change[] {
  const changes: Change[] = [];
  const expression = (at: ts.Node, to: string) => changes.push({ node: at, around: 'expression', to });
  if (ts.isFunctionLike(node) && 'body' in node)
    for (const to of neutralAnswers(node as ts.FunctionLikeDeclaration))
      changes.push({ node: (node as ts.FunctionLikeDeclaration).body as ts.Node, around: 'body', to });
  if (isDecision(node)) for (const to of answersOf(node)) if (to !== always(node)) expression(node, to);
  if (isLogical(node) && isAsked(node))
    for (const side of [node.left, node.right])
      if (!isLogical(withoutParentheses(side)) || operatorOf(side) !== operatorOf(node))
        expression(side, operatorOf(node) === '&&' ? 'true' : 'false');
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText();
    const other = OTHER_BOUNDARY[operator] ?? (isInNumber(node) ? undefined : OTHER_SUM[operator]);
    if (other !== undefined && !isOrder(node))
      expression(node, `${node.left.getText()} ${other} ${node.right.getText()}`);
  }
  if (ts.isCallExpression(node)) for (const to of callsInstead(node)) expression(node, to);
  if (isNumber(node) && !isInNumber(node) && mayBeOther(node)) expression(node, `${node.getText()} * 2 + 1`);
  if (ts.isStringLiteral(node) && OTHER_WORD[node.text] !== undefined && isAnswer(node))
    expression(node, `'${OTHER_WORD[node.text]}'`);
  if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.parent)) expression(node.expression, '[]');
  if (isListed(node)) changes.push({ node, around: 'element', to: '' });
  if (ts.isCaseClause(node)) expression(node.expression, 'Symbol()');
  if (isDeed(node)) changes.push({ node, around: 'statement', to: '' });
  return changes;
}

/** An expression that decides: the condition of a branch, or what is true or false wherever it goes. */
function isDecision(node: ts.Node): node is ts.Expression {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  if (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) {
    if (parent.condition === node) return true;
  }
  if (!ts.isExpression(node) || ts.isParenthesizedExpression(node)) return false;
  if (isLogical(node) && !isBoolean(node)) return !isPartOfDecision(node) && isValue(node);
  return isBoolean(node) && !isPartOfDecision(node);
}

// `...(a === undefined ? {} : { a })`: what is undefined is as good as not there.
function always(node: ts.Expression): string | undefined {
  const { parent } = node;
  const outer = isLogical(parent) || ts.isConditionalExpression(parent) ? parent.parent : undefined;
  const isSpread =
    outer !== undefined && ts.isParenthesizedExpression(outer) && ts.isSpreadAssignment(outer.parent);
  if (!isSpread || !ts.isBinaryExpression(node) || node.right.getText() !== 'undefined') return undefined;
  return node.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ? 'true' : 'false';
}

// Of two that are equal, either may come first.
function isOrder(node: ts.BinaryExpression): boolean {
  const { parent } = node;
  return (
    ts.isConditionalExpression(parent) && parent.condition === node && /^-?1$/.test(parent.whenTrue.getText())
  );
}

function isPartOfDecision(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isPartOfDecision(parent);
  if (isLogical(parent)) return true;
  if (ts.isPrefixUnaryExpression(parent)) return true;
  if (ts.isBinaryExpression(parent)) return isComparison(parent);
  return ts.isExpressionStatement(parent) || isConditionOf(node, parent);
}

function isConditionOf(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)) return true;
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
}

// `a && { … }`: without what follows.
function isValue(node: ts.BinaryExpression): boolean {
  return operatorOf(node) === '&&';
}

// What a part of it is changed to says the rest.
function answersOf(node: ts.Expression): readonly string[] {
  const inner = withoutParentheses(node);
  if (isLogical(inner)) return [operatorOf(inner) === '&&' ? 'false' : 'true'];
  const { parent } = node;
  const isLoop = ts.isWhileStatement(parent) || ts.isForStatement(parent) || ts.isDoStatement(parent);
  return isLoop ? ['false'] : ['true', 'false'];
}

// The parts of `a && { … }` are no answers.
function isAsked(node: ts.BinaryExpression): boolean {
  let top: ts.Node = node;
  while (isLogical(top.parent) || ts.isParenthesizedExpression(top.parent)) top = top.parent;
  return (
    isConditionOf(top, top.parent) ||
    ts.isPrefixUnaryExpression(top.parent) ||
    isBoolean(top as ts.Expression)
  );
}

function operatorOf(expression: ts.Expression): string | undefined {
  const node = withoutParentheses(expression);
  return isLogical(node) ? node.operatorToken.getText() : undefined;
}

function callsInstead(node: ts.CallExpression): readonly string[] {
  const { expression: called } = node;
  const [first] = node.arguments;
  const words = node.arguments.map((one) => one.getText()).join(', ');
  if (ts.isIdentifier(called) && (called.text === 'unmet' || called.text === 'unknown'))
    return ["{ state: 'met', text: '' }"];
  if (!ts.isPropertyAccessExpression(called)) return [];
  const { name } = called;
  const of = called.expression.getText();
  const isPlain = node.questionDotToken === undefined && called.questionDotToken === undefined;
  const other = OTHER_CALL[name.text];
  if (other !== undefined) return [`${of}${isPlain ? '.' : '?.'}${other}(${words})`];
  const isOpen = first !== undefined && ts.isArrowFunction(first) && !ts.isBlock(first.body);
  const isKnown = isOpen && isBoolean(first.body as ts.Expression);
  return name.text === 'filter' && !isKnown ? [of] : [];
}

function isNumber(node: ts.Node): node is ts.Expression {
  if (ts.isNumericLiteral(node)) return true;
  return (
    ts.isBinaryExpression(node) &&
    OTHER_SUM[node.operatorToken.getText()] !== undefined &&
    isNumber(node.left) &&
    isNumber(node.right)
  );
}

function isInNumber(node: ts.Node): boolean {
  return isNumber(node.parent) || (isNumber(node) && !ts.isNumericLiteral(node));
}

const PLACES = /^(?:slice|at|repeat|padStart|padEnd|toFixed|substring|join|splice|charCodeAt)$/;

// A boundary is moved by another change; a place in a list is no amount.
function mayBeOther(node: ts.Expression): boolean {
  const { parent } = node;
  // What stands for an amount that nobody told.
  if (ts.isBinaryExpression(parent))
    return !isComparison(parent) && parent.operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent)) return true;
  if (!ts.isCallExpression(parent)) return false;
  const { expression: called } = parent;
  return !(ts.isPropertyAccessExpression(called) && PLACES.test(called.name.text));
}

function isAnswer(node: ts.StringLiteral): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return ts.isArrayLiteralExpression(parent) && ts.isPropertyAssignment(parent.parent);
}

// The lists that a file decides by: rules, checks, codes. One that is constant in its type names what there is.
function isListed(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined || !ts.isArrayLiteralExpression(parent) || ts.isSpreadElement(node)) return false;
  let holder: ts.Node = parent.parent;
  if (ts.isSatisfiesExpression(holder)) holder = holder.parent;
  if (ts.isNewExpression(holder)) return holder.expression.getText() === 'Set';
  return ts.isVariableDeclaration(holder) && ts.isSourceFile(holder.parent.parent.parent);
}

// What is called, or set, for what it does.
function isDeed(node: ts.Node): boolean {
  if (!ts.isExpressionStatement(node)) return false;
  const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  return !(ts.isCallExpression(inner) && inner.expression.kind === ts.SyntaxKind.SuperKeyword);
}
