import { z } from 'zod';
import { GATE_PHASES } from '../core/gate/contract.ts';
import { STOP_REASONS } from '../core/gate/decision.ts';
import { ENDINGS } from '../core/gate/ending.ts';
import { GATE_MODES } from '../core/gate/mode.ts';

const schemaVersion = z.literal(1);
const at = z.number().describe('epoch milliseconds');
const mode = z.enum(GATE_MODES);

const check = z
  .union([
    z.object({
      kind: z.literal('command'),
      argv: z.array(z.string()),
      cwd: z.string().nullable().describe('relative to the contract’s; null: the same'),
      timeoutMs: z.number(),
    }),
    z.object({ kind: z.literal('clean') }),
    z.object({ kind: z.literal('pushed') }),
    z.object({ kind: z.literal('file'), path: z.string() }),
    z.object({
      kind: z.literal('todo'),
      path: z.string().nullable().describe('a Markdown file; null: the agent’s own list'),
    }),
  ])
  .describe('the check as data');

const result = z
  .object({
    state: z.enum(['met', 'unmet', 'unknown']).describe('`unknown` never keeps anybody going'),
    text: z.string().describe('what is missing, or why it cannot be told'),
    at,
  })
  .nullable()
  .describe('what came of it last; null where it was never looked at');

const owner = z.object({
  key: z.string().describe('of the session'),
  name: z.string().describe('of the session when the work began'),
  server: z.object({ socketPath: z.string(), pid: z.number() }),
  paneId: z.string(),
  agent: z.object({ kind: z.string(), pid: z.number() }),
  conversation: z.string().nullable().describe('null: nobody is kept going'),
  stampedAt: at,
});

const contract = z.object({
  id: z.string(),
  task: z.string().nullable(),
  phase: z.enum(GATE_PHASES).describe('an open one whose time is over is `expired`'),
  startedAt: at,
  expiresAt: at,
  ended: z.object({ at, text: z.string() }).nullable(),
  cwd: z.string().describe('where its checks run'),
  project: z.string().nullable().describe('root of the repository around it'),
  mode: mode.describe('what holds for it'),
  reinforce: z.number().describe('how often its owner is kept going at most'),
  used: z.number().describe('how often it was'),
  wouldHaveUsed: z.number().describe('how often shadow would have'),
  checks: z.array(z.object({ text: z.string().describe('what has to hold'), check, result })),
  owner,
  stale: z
    .object({ at, code: z.string(), text: z.string() })
    .nullable()
    .describe('it was let go although something is missing'),
});

const off = z
  .object({ at, reason: z.string().nullable() })
  .nullable()
  .describe('the kill switch, while it holds');

const warnings = z.array(z.string()).describe('what keeps the gate from doing its part');

/** `rollcall gate start --json` */
export const gateStartDocumentSchema = z.object({
  schemaVersion,
  result: z.enum(['started', 'replaced']),
  contract,
  switchedOff: off,
  warnings,
});

/** `rollcall gate status --json` */
export const gateStatusDocumentSchema = z.object({
  schemaVersion,
  at,
  mode: mode.describe('what holds for the current folder'),
  switchedOff: off,
  contracts: z.array(contract).describe('open ones; with --all those that ended lately too'),
  problems: z.array(z.string()).describe('what could not be read'),
});

/** `rollcall gate finish --json` and `rollcall gate abandon --json` */
export const gateEndedDocumentSchema = z.object({
  schemaVersion,
  result: z.enum(['finished', 'abandoned']),
  isForced: z.boolean().describe('although something is missing, or was not looked at'),
  contract,
});

/** `rollcall gate mode --json` */
export const gateModeDocumentSchema = z.object({
  schemaVersion,
  mode: mode.describe('what holds for the current folder'),
  user: mode.nullable().describe('what was set for everything; null: shadow'),
  project: z
    .object({ root: z.string(), mode: mode.nullable().describe('null: the user’s holds') })
    .nullable()
    .describe('the repository around the current folder'),
  projects: z.record(z.string(), mode).describe('every project that has a mode of its own'),
  switchedOff: off,
  problem: z.string().nullable().describe('why the modes could not be read; nothing is enforced then'),
});

/** `rollcall gate off --json` and `rollcall gate on --json` */
export const gateSwitchDocumentSchema = z.object({
  schemaVersion,
  result: z.enum(['off', 'already-off', 'on', 'already-on']),
  switchedOff: off,
  warnings,
});

const endings = z.object(
  Object.fromEntries(ENDINGS.map((ending) => [ending, z.number()])) as Record<
    (typeof ENDINGS)[number],
    z.ZodNumber
  >,
);

/** `rollcall gate report --json` */
export const gateReportDocumentSchema = z.object({
  schemaVersion,
  since: at,
  from: at.nullable().describe('of the first that was counted; null where nothing was'),
  to: at.nullable(),
  stops: z.number().describe('all that were seen, those included that the hook let through by itself'),
  approved: z.number(),
  wouldBlock: z.number().describe('in shadow'),
  blocked: z.number(),
  reasons: z
    .array(z.object({ reason: z.enum(STOP_REASONS), times: z.number() }))
    .describe('why stops were let through, the most frequent first'),
  agents: z.array(z.object({ agent: z.string(), stops: z.number() })),
  contracts: z
    .array(
      z.object({
        id: z.string(),
        task: z.string().nullable(),
        session: z.string().nullable().describe('its name'),
        blocked: z.number(),
        wouldBlock: z.number(),
        firstAt: at,
        ending: z.enum(ENDINGS).describe('`met`: what was asked for held later'),
        endedAt: at.nullable().describe('null while it is open'),
        text: z.string(),
      }),
    )
    .describe('those whose owner was kept going, or would have been, the oldest first'),
  blockedEnds: endings.describe('how those ended that were blocked'),
  shadowEnds: endings.describe('how those ended that only would have been'),
  latency: z
    .object({ stops: z.number(), p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number() })
    .nullable()
    .describe('of the stops that rollcall was asked about'),
  changes: z.array(z.object({ at, text: z.string() })).describe('of mode and switch'),
});

export type GateContractObject = z.infer<typeof contract>;
export type GateStartDocument = z.infer<typeof gateStartDocumentSchema>;
export type GateStatusDocument = z.infer<typeof gateStatusDocumentSchema>;
export type GateEndedDocument = z.infer<typeof gateEndedDocumentSchema>;
export type GateModeDocument = z.infer<typeof gateModeDocumentSchema>;
export type GateSwitchDocument = z.infer<typeof gateSwitchDocumentSchema>;
export type GateReportDocument = z.infer<typeof gateReportDocumentSchema>;
