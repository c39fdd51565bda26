import ts from 'typescript';

const COMPARES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.InKeyword,
  ts.SyntaxKind.InstanceOfKeyword,
]);

const ASKING = /^(?:some|every|has|includes|startsWith|endsWith|test)$/;

/** Whether an expression can only be true or false, as far as its own words tell. */
export function isBoolean(expression: ts.Expression): boolean {
  const node = withoutParentheses(expression);
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  if (isLogical(node)) return isBoolean(node.right);
  if (ts.isBinaryExpression(node)) return isComparison(node);
  if (!ts.isCallExpression(node)) return false;
  const { expression: called } = node;
  if (ts.isPropertyAccessExpression(called)) return ASKING.test(called.name.text);
  return ts.isIdentifier(called) && /^(?:is|has|may)[A-Z]/.test(called.text);
}

export function isComparison(node: ts.BinaryExpression): boolean {
  return COMPARES.has(node.operatorToken.kind);
}

/** `&&` or `||`. */
export function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

export function withoutParentheses(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ? withoutParentheses(expression.expression) : expression;
}
