import ts from 'typescript';
import { isBoolean, withoutParentheses } from './boolean.ts';

/** Types of functions that are written as values: what they answer where nothing stands against it. */
const BY_TYPE: Readonly<Record<string, readonly string[]>> = { Rule: ['null'], CheckRule: [MET()] };

const MET_ANSWERS = /^(?:Answer|CheckAnswer)$/;

function MET(): string {
  return "{ state: 'met', text: '' }";
}

/**
 * What a whole function answers when it never fires, or always passes: a rule finds nothing, a check is met, a guard has no
 * objection, a question is answered with yes, or with no.
 */
export function neutralAnswers(node: ts.FunctionLikeDeclaration): readonly string[] {
  if (node.body === undefined) return [];
  const { parent } = node;
  if (ts.isCallExpression(parent) && parent.expression.getText() === 'check') return [MET()];
  const declared = ts.isVariableDeclaration(parent) ? parent.type?.getText() : undefined;
  if (declared !== undefined && BY_TYPE[declared] !== undefined) return BY_TYPE[declared];
  const type = node.type?.getText();
  if (type === undefined) return [];
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  const inner = /^Promise<([\s\S]*)>$/.exec(type)?.[1];
  const answers = answersOf(inner ?? type, node.body);
  return inner === undefined || isAsync ? answers : answers.map((one) => `Promise.resolve(${one})`);
}

function answersOf(type: string, body: ts.ConciseBody): readonly string[] {
  if (type === 'boolean' || /^\w+ is /.test(type)) return isOneAnswer(body) ? [] : ['true', 'false'];
  if (MET_ANSWERS.test(type)) return [MET()];
  if (/\|\s*null$/.test(type)) return ['null'];
  if (/\|\s*undefined$/.test(type)) return ['undefined'];
  if (type.endsWith('[]')) return ['[]'];
  if (/^(?:Readonly)?Set</.test(type)) return ['new Set()'];
  if (/^(?:Readonly)?Map</.test(type)) return ['new Map()'];
  if (type === 'void') return ts.isBlock(body) && body.statements.length > 1 ? ['undefined'] : [];
  return [];
}

// Its one expression is changed anyway.
function isOneAnswer(body: ts.ConciseBody): boolean {
  if (!ts.isBlock(body)) return isBoolean(body);
  const [only] = body.statements;
  if (body.statements.length !== 1 || only === undefined || !ts.isReturnStatement(only)) return false;
  return only.expression !== undefined && isBoolean(withoutParentheses(only.expression));
}
