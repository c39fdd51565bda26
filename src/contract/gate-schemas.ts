import * as v from 'valibot';
import { ENDINGS } from '../core/gate/cases.ts';
import { GATE_PHASES } from '../core/gate/contract.ts';
import { STOP_REASONS } from '../core/gate/decision.ts';
import { GATE_MODES } from '../core/gate/mode.ts';
import { described } from '../schema/described.ts';
import { at, documentOf, eachOf } from './schema-parts.ts';

const mode = v.picklist(GATE_MODES);

const check = described(
  v.union([
    v.object({
      kind: v.literal('command'),
      argv: v.array(v.string()),
      cwd: described(v.nullable(v.string()), 'relative to the contract’s; null: the same'),
      timeoutMs: v.number(),
    }),
    v.object({ kind: v.literal('clean') }),
    v.object({ kind: v.literal('pushed') }),
    v.object({ kind: v.literal('file'), path: v.string() }),
    v.object({
      kind: v.literal('todo'),
      path: described(v.nullable(v.string()), 'a Markdown file; null: the agent’s own list'),
    }),
  ]),
  'the check as data',
);

const result = described(
  v.nullable(
    v.object({
      state: described(v.picklist(['met', 'unmet', 'unknown']), '`unknown` never keeps anybody going'),
      text: described(v.string(), 'what is missing, or why it cannot be told'),
      at,
    }),
  ),
  'what came of it last; null where it was never looked at',
);

const owner = v.object({
  key: described(v.string(), 'of the session'),
  name: described(v.string(), 'of the session when the work began'),
  server: v.object({ socketPath: v.string(), pid: v.number() }),
  paneId: v.string(),
  agent: v.object({ kind: v.string(), pid: v.number() }),
  conversation: described(v.nullable(v.string()), 'null: nobody is kept going'),
  stampedAt: at,
});

const contract = v.object({
  id: v.string(),
  task: v.nullable(v.string()),
  phase: described(v.picklist(GATE_PHASES), 'an open one whose time is over is `expired`'),
  startedAt: at,
  expiresAt: at,
  ended: v.nullable(v.object({ at, text: v.string() })),
  cwd: described(v.string(), 'where its checks run'),
  project: described(v.nullable(v.string()), 'root of the repository around it'),
  mode: described(mode, 'what holds for it'),
  reinforce: described(v.number(), 'how often its owner is kept going at most'),
  used: described(v.number(), 'how often it was'),
  wouldHaveUsed: described(v.number(), 'how often shadow would have'),
  checks: v.array(v.object({ text: described(v.string(), 'what has to hold'), check, result })),
  owner,
  stale: described(
    v.nullable(v.object({ at, code: v.string(), text: v.string() })),
    'it was let go although something is missing',
  ),
});

const off = described(
  v.nullable(v.object({ at, reason: v.nullable(v.string()) })),
  'the kill switch, while it holds',
);

const warnings = described(v.array(v.string()), 'what keeps the gate from doing its part');

/** `rollcall gate start --json` */
export const gateStartDocumentSchema = documentOf({
  result: v.picklist(['started', 'replaced']),
  contract,
  switchedOff: off,
  warnings,
});

/** `rollcall gate status --json` */
export const gateStatusDocumentSchema = documentOf({
  at,
  mode: described(mode, 'what holds for the current folder'),
  switchedOff: off,
  contracts: described(v.array(contract), 'open ones; with --all those that ended lately too'),
  problems: described(v.array(v.string()), 'what could not be read'),
});

/** `rollcall gate finish --json` and `rollcall gate abandon --json` */
export const gateEndedDocumentSchema = documentOf({
  result: v.picklist(['finished', 'abandoned']),
  isForced: described(v.boolean(), 'although something is missing, or was not looked at'),
  contract,
});

/** `rollcall gate mode --json` */
export const gateModeDocumentSchema = documentOf({
  mode: described(mode, 'what holds for the current folder'),
  user: described(v.nullable(mode), 'what was set for everything; null: shadow'),
  project: described(
    v.nullable(v.object({ root: v.string(), mode: described(v.nullable(mode), 'null: the user’s holds') })),
    'the repository around the current folder',
  ),
  projects: described(v.record(v.string(), mode), 'every project that has a mode of its own'),
  switchedOff: off,
  problem: described(v.nullable(v.string()), 'why the modes could not be read; nothing is enforced then'),
});

/** `rollcall gate off --json` and `rollcall gate on --json` */
export const gateSwitchDocumentSchema = documentOf({
  result: v.picklist(['off', 'already-off', 'on', 'already-on']),
  switchedOff: off,
  warnings,
});

const endings = v.object(eachOf(ENDINGS, v.number()));

/** `rollcall gate report --json` */
export const gateReportDocumentSchema = documentOf({
  since: at,
  from: described(v.nullable(at), 'of the first that was counted; null where nothing was'),
  to: v.nullable(at),
  stops: described(v.number(), 'all that were seen, those included that the hook let through by itself'),
  approved: v.number(),
  wouldBlock: described(v.number(), 'in shadow'),
  blocked: v.number(),
  reasons: described(
    v.array(v.object({ reason: v.picklist(STOP_REASONS), times: v.number() })),
    'why stops were let through, the most frequent first',
  ),
  agents: v.array(v.object({ agent: v.string(), stops: v.number() })),
  contracts: described(
    v.array(
      v.object({
        id: v.string(),
        task: v.nullable(v.string()),
        session: described(v.nullable(v.string()), 'its name'),
        blocked: v.number(),
        wouldBlock: v.number(),
        firstAt: at,
        ending: described(v.picklist(ENDINGS), '`met`: what was asked for held later'),
        endedAt: described(v.nullable(at), 'null while it is open'),
        text: v.string(),
      }),
    ),
    'those whose owner was kept going, or would have been, the oldest first',
  ),
  blockedEnds: described(endings, 'how those ended that were blocked'),
  shadowEnds: described(endings, 'how those ended that only would have been'),
  latency: described(
    v.nullable(v.object({ stops: v.number(), p50Ms: v.number(), p99Ms: v.number(), maxMs: v.number() })),
    'of the stops that rollcall was asked about',
  ),
  changes: described(v.array(v.object({ at, text: v.string() })), 'of mode and switch'),
});

export type GateContractObject = v.InferOutput<typeof contract>;
export type GateStartDocument = v.InferOutput<typeof gateStartDocumentSchema>;
export type GateStatusDocument = v.InferOutput<typeof gateStatusDocumentSchema>;
export type GateEndedDocument = v.InferOutput<typeof gateEndedDocumentSchema>;
export type GateModeDocument = v.InferOutput<typeof gateModeDocumentSchema>;
export type GateSwitchDocument = v.InferOutput<typeof gateSwitchDocumentSchema>;
export type GateReportDocument = v.InferOutput<typeof gateReportDocumentSchema>;
