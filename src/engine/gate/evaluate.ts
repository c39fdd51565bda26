import type { CheckedItem, CheckResult, GateCheck } from '../../core/gate/check.ts';
import { missingText } from '../../core/gate/check-text.ts';
import type { GateContract } from '../../core/gate/contract.ts';
import type { GateChecks, OwnTodo, TreeState } from '../../ports/gate.ts';

/** What became of a contract's checks, by their index. */
export interface Evaluated {
  readonly state: 'evaluated';
  readonly results: readonly CheckResult[];
  /** The work tree that they were found in; null where it is not known. */
  readonly tree: string | null;
  /** Something was left undone for want of time. */
  readonly isOutOfTime: boolean;
}

export interface EvaluateOptions {
  readonly at: number;
  readonly mayRun: boolean;
  readonly ownTodo: () => OwnTodo | Promise<OwnTodo>;
  /** For all of it together. */
  readonly remainingMs?: () => number;
  readonly onCheck?: (check: GateCheck, result: CheckResult | null) => void;
}

/**
 * Finds out whether the checks of a contract hold. What a program said holds as long as the work tree is the same; the
 * rest is looked at every time, after the programs, which may have changed it. `must-run`: programs have to run first.
 */
export async function evaluate(
  checks: GateChecks,
  contract: Pick<GateContract, 'cwd' | 'checks'>,
  options: EvaluateOptions,
): Promise<Evaluated | { readonly state: 'must-run' }> {
  const { at, mayRun, ownTodo, onCheck } = options;
  const { cwd } = contract;
  const first = await checks.tree(cwd);
  const stale = contract.checks.filter((item) => !holdsFor(item, first));
  if (!mayRun && stale.length > 0) return { state: 'must-run' };
  // git may only have been too slow for the little time there is.
  const isGitAsked = contract.checks.some(({ check }) => check.kind === 'clean');
  if (!mayRun && isGitAsked && first.state === 'unknown') return { state: 'must-run' };

  let tree = first;
  let isOutOfTime = false;
  const results: (CheckResult | undefined)[] = [];
  for (const [index, item] of contract.checks.entries()) {
    const { check, result } = item;
    if (check.kind !== 'command') continue;
    if (result !== null && holdsFor(item, tree)) {
      results[index] = result;
      continue;
    }
    onCheck?.(check, null);
    const ran = await run(checks, check, { cwd, tree, at }, options.remainingMs?.());
    isOutOfTime ||= ran.isCut;
    results[index] = ran.result;
    onCheck?.(check, ran.result);
    if (ran.result.tree === null) tree = await checks.tree(cwd);
  }
  for (const [index, { check }] of contract.checks.entries()) {
    if (check.kind === 'command') continue;
    const result = await checks.look(check, { cwd, tree, at, ownTodo });
    results[index] = result;
    onCheck?.(check, result);
  }
  const digest = tree.state === 'known' ? tree.digest : null;
  return { state: 'evaluated', results: results as CheckResult[], tree: digest, isOutOfTime };
}

/** What does not hold, or cannot be told, one line each. */
export function lacking(items: readonly CheckedItem[]): string[] {
  return items.flatMap(({ check, result }) => {
    if (result === null) return [missingText(check, { text: 'not looked at' })];
    if (result.state === 'met') return [];
    const text = result.state === 'unknown' ? `cannot be told: ${result.text}` : result.text;
    return [missingText(check, { text })];
  });
}

function holdsFor({ check, result }: CheckedItem, tree: TreeState): boolean {
  if (check.kind !== 'command') return true;
  return (
    result !== null && result.state !== 'unknown' && tree.state === 'known' && result.tree === tree.digest
  );
}

async function run(
  checks: GateChecks,
  check: Extract<GateCheck, { kind: 'command' }>,
  view: { readonly cwd: string; readonly tree: TreeState; readonly at: number },
  leftMs = Number.POSITIVE_INFINITY,
): Promise<{ readonly result: CheckResult; readonly isCut: boolean }> {
  const unknown = { state: 'unknown', text: 'there was no time for it', tree: null, mark: '' } as const;
  if (leftMs <= 0) return { result: { ...unknown, at: view.at }, isCut: true };
  const timeoutMs = Math.min(check.timeoutMs, leftMs);
  const result = await checks.run({ ...check, timeoutMs }, view);
  const isCut = timeoutMs < check.timeoutMs && result.mark === TIMED_OUT;
  return { result: isCut ? { ...unknown, at: view.at } : result, isCut };
}

const TIMED_OUT = 'timed-out';
