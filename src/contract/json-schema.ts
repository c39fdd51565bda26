import { jsonSchemaOf } from '../schema/json-schema.ts';
import { actedDocumentSchema } from './acted-schema.ts';
import { closeDocumentSchema, reopenDocumentSchema, wakeDocumentSchema } from './close-schemas.ts';
import {
  apiDocumentSchema,
  daemonLineSchema,
  downDocumentSchema,
  upDocumentSchema,
} from './daemon-schemas.ts';
import { doctorDocumentSchema } from './doctor-schema.ts';
import {
  agentsDocumentSchema,
  configDocumentSchema,
  errorDocumentSchema,
  explainDocumentSchema,
  hooksChangeDocumentSchema,
  hooksStatusDocumentSchema,
  rollDocumentSchema,
  versionDocumentSchema,
} from './document-schemas.ts';
import {
  gateEndedDocumentSchema,
  gateModeDocumentSchema,
  gateReportDocumentSchema,
  gateStartDocumentSchema,
  gateStatusDocumentSchema,
  gateSwitchDocumentSchema,
} from './gate-schemas.ts';
import { guardDocumentSchema, sentinelSchema, waitDocumentSchema } from './guard-schemas.ts';
import { backtestDocumentSchema, reapReportDocumentSchema } from './history-schemas.ts';
import { logDocumentSchema, logLineSchema, verifyDocumentSchema } from './ledger-schemas.ts';
import { lockStatusDocumentSchema } from './lock-schema.ts';
import { notifyTestDocumentSchema } from './notify-schema.ts';
import { reapDocumentSchema, reapModeDocumentSchema } from './reap-schemas.ts';
import { restoreDocumentSchema } from './restore-schema.ts';
import { statusDocumentSchema } from './status-schema.ts';

const DOCUMENTS = {
  roll: [rollDocumentSchema, 'rollcall --json'],
  explain: [explainDocumentSchema, 'rollcall explain SESSION --json'],
  config: [configDocumentSchema, 'rollcall config explain --json'],
  agents: [agentsDocumentSchema, 'rollcall agents --json'],
  status: [statusDocumentSchema, 'rollcall status --json'],
  doctor: [doctorDocumentSchema, 'rollcall doctor --json'],
  up: [upDocumentSchema, 'rollcall up --json'],
  down: [downDocumentSchema, 'rollcall down --json'],
  api: [apiDocumentSchema, 'rollcall api --json'],
  'daemon-line': [daemonLineSchema, 'lines of rollcall events --json about the daemon itself'],
  'hooks-change': [hooksChangeDocumentSchema, 'rollcall hooks install --json, rollcall hooks remove --json'],
  'hooks-status': [hooksStatusDocumentSchema, 'rollcall hooks status --json'],
  acted: [actedDocumentSchema, 'rollcall run, adopt, hold, unhold, retain and complete, each with --json'],
  close: [closeDocumentSchema, 'rollcall close SESSION… --json, rollcall hibernate SESSION… --json'],
  wake: [wakeDocumentSchema, 'rollcall wake SESSION|RECEIPT --json'],
  reopen: [reopenDocumentSchema, 'rollcall reopen RECEIPT|SESSION --json'],
  restore: [restoreDocumentSchema, 'rollcall restore [SESSION…] --json'],
  wait: [waitDocumentSchema, 'rollcall wait SESSION… --until STATE --json'],
  guard: [guardDocumentSchema, 'rollcall guard SESSION --json'],
  sentinel: [sentinelSchema, 'the file that rollcall guard --sentinel writes'],
  log: [logDocumentSchema, 'rollcall log --json'],
  'log-line': [logLineSchema, 'each line of rollcall log --follow --json'],
  verify: [verifyDocumentSchema, 'rollcall verify --json'],
  'reap-mode': [reapModeDocumentSchema, 'rollcall reap mode --json'],
  reap: [reapDocumentSchema, 'rollcall reap now --json'],
  'reap-report': [reapReportDocumentSchema, 'rollcall reap report --json'],
  backtest: [backtestDocumentSchema, 'rollcall backtest --json'],
  'gate-start': [gateStartDocumentSchema, 'rollcall gate start --json'],
  'gate-status': [gateStatusDocumentSchema, 'rollcall gate status --json'],
  'gate-ended': [gateEndedDocumentSchema, 'rollcall gate finish --json, rollcall gate abandon --json'],
  'gate-mode': [gateModeDocumentSchema, 'rollcall gate mode --json'],
  'gate-report': [gateReportDocumentSchema, 'rollcall gate report --json'],
  'gate-switch': [gateSwitchDocumentSchema, 'rollcall gate off --json, rollcall gate on --json'],
  'lock-status': [lockStatusDocumentSchema, 'rollcall lock status --json'],
  'notify-test': [notifyTestDocumentSchema, 'rollcall notify test --json'],
  version: [versionDocumentSchema, 'rollcall version --json'],
  error: [errorDocumentSchema, 'any rollcall command with --json that fails'],
} as const;

/** JSON Schema (draft 2020-12) of every document, by name. Unknown fields are allowed: later versions add some. */
export function jsonSchemas(): Record<keyof typeof DOCUMENTS, object> {
  const made = Object.entries(DOCUMENTS).map(([name, [schema, title]]) => [
    name,
    { ...jsonSchemaOf(schema), title },
  ]);
  return Object.fromEntries(made);
}
