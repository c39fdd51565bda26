import { type CheckedItem, type CheckResult, REINFORCE } from '../../core/gate/check.ts';
import {
  GATE_PHASES,
  type GateContract,
  type GateCounter,
  type GateOwner,
} from '../../core/gate/contract.ts';
import type { ProcessMark } from '../../core/sight/identity.ts';
import { isObject } from '../files/json-object.ts';
import {
  isCount,
  isText,
  isTime,
  listOf,
  missingOr,
  nullOr,
  oneOf,
  shape,
  type Test,
  textLike,
} from '../files/shape.ts';

export const CONTRACT_ID = /^[0-9a-f]{8}$/;

/** Whether a value is a contract in every part: what is not is left alone and keeps nobody going. */
export function isContract(value: unknown): value is GateContract {
  return isWhole(value) && (value.ended === null) === (value.phase === 'open');
}

const isAboveZero: Test = (value) => isCount(value) && value !== 0;
const mark: { readonly [Key in keyof ProcessMark]: Test } = { pid: isAboveZero, startTicks: isCount };

const CHECKS: ReadonlyMap<unknown, Test> = new Map<unknown, Test>([
  ['clean', isObject],
  ['pushed', isObject],
  ['file', shape({ path: isText })],
  ['todo', shape({ path: nullOr(isText) })],
  [
    'command',
    shape({
      argv: (value) => listOf(isText)(value) && (value as readonly string[]).length > 0,
      cwd: nullOr(isText),
      timeoutMs: isAboveZero,
    }),
  ],
]);

const isResult = shape<CheckResult>({
  state: oneOf(['met', 'unmet', 'unknown']),
  text: isText,
  at: isTime,
  tree: nullOr(isText),
  mark: isText,
});

const isItem = shape<CheckedItem>({
  check: (value) => isObject(value) && CHECKS.get(value.kind)?.(value) === true,
  result: nullOr(isResult),
});

const isOwner = shape<GateOwner>({
  session: shape({ key: isText, name: isText }),
  server: shape({ ...mark, socketPath: isText }),
  paneId: textLike(/^%\d{1,10}$/),
  pane: shape(mark),
  // The kind becomes a line of the file that the hook reads.
  agent: shape({ ...mark, kind: textLike(/^[A-Za-z0-9._-]{1,64}$/) }),
  conversation: isText,
  transcript: missingOr(isText),
  stampedAt: isTime,
});

const isCounter = shape<GateCounter>({
  used: isCount,
  inARow: isCount,
  last: nullOr(shape({ at: isTime, evidence: isText, stop: isText })),
  seen: listOf(isText),
});

const isWhole = shape<GateContract>({
  format: oneOf([1]),
  id: textLike(CONTRACT_ID),
  task: nullOr(isText),
  startedAt: isTime,
  expiresAt: isTime,
  cwd: textLike(/^\//),
  project: nullOr(isText),
  checks: listOf(isItem),
  reinforce: oneOf(REINFORCE.map(Number)),
  owner: isOwner,
  phase: oneOf(GATE_PHASES),
  ended: nullOr(shape({ at: isTime, text: isText })),
  enforced: isCounter,
  shadowed: isCounter,
  stale: nullOr(shape({ at: isTime, code: isText, text: isText })),
});
