import { jsonSchemaOf } from '../schema/json-schema.ts';
import * as d from './documents.ts';

const DOCUMENTS = {
  roll: [d.rollDocumentSchema, 'rollcall --json'],
  explain: [d.explainDocumentSchema, 'rollcall explain SESSION --json'],
  config: [d.configDocumentSchema, 'rollcall config explain --json'],
  agents: [d.agentsDocumentSchema, 'rollcall agents --json'],
  status: [d.statusDocumentSchema, 'rollcall status --json'],
  doctor: [d.doctorDocumentSchema, 'rollcall doctor --json'],
  up: [d.upDocumentSchema, 'rollcall up --json'],
  down: [d.downDocumentSchema, 'rollcall down --json'],
  api: [d.apiDocumentSchema, 'rollcall api --json'],
  'daemon-line': [d.daemonLineSchema, 'lines of rollcall events --json about the daemon itself'],
  'hooks-change': [
    d.hooksChangeDocumentSchema,
    'rollcall hooks install --json, rollcall hooks remove --json',
  ],
  'hooks-status': [d.hooksStatusDocumentSchema, 'rollcall hooks status --json'],
  acted: [d.actedDocumentSchema, 'rollcall run, adopt, hold, unhold, retain and complete, each with --json'],
  close: [d.closeDocumentSchema, 'rollcall close SESSION… --json, rollcall hibernate SESSION… --json'],
  wake: [d.wakeDocumentSchema, 'rollcall wake SESSION|RECEIPT --json'],
  reopen: [d.reopenDocumentSchema, 'rollcall reopen RECEIPT|SESSION --json'],
  restore: [d.restoreDocumentSchema, 'rollcall restore [SESSION…] --json'],
  wait: [d.waitDocumentSchema, 'rollcall wait SESSION… --until STATE --json'],
  guard: [d.guardDocumentSchema, 'rollcall guard SESSION --json'],
  sentinel: [d.sentinelSchema, 'the file that rollcall guard --sentinel writes'],
  log: [d.logDocumentSchema, 'rollcall log --json'],
  'log-line': [d.logLineSchema, 'each line of rollcall log --follow --json'],
  verify: [d.verifyDocumentSchema, 'rollcall verify --json'],
  'reap-mode': [d.reapModeDocumentSchema, 'rollcall reap mode --json'],
  reap: [d.reapDocumentSchema, 'rollcall reap now --json'],
  'reap-report': [d.reapReportDocumentSchema, 'rollcall reap report --json'],
  backtest: [d.backtestDocumentSchema, 'rollcall backtest --json'],
  'gate-start': [d.gateStartDocumentSchema, 'rollcall gate start --json'],
  'gate-status': [d.gateStatusDocumentSchema, 'rollcall gate status --json'],
  'gate-ended': [d.gateEndedDocumentSchema, 'rollcall gate finish --json, rollcall gate abandon --json'],
  'gate-mode': [d.gateModeDocumentSchema, 'rollcall gate mode --json'],
  'gate-report': [d.gateReportDocumentSchema, 'rollcall gate report --json'],
  'gate-switch': [d.gateSwitchDocumentSchema, 'rollcall gate off --json, rollcall gate on --json'],
  'lock-status': [d.lockStatusDocumentSchema, 'rollcall lock status --json'],
  'notify-test': [d.notifyTestDocumentSchema, 'rollcall notify test --json'],
  version: [d.versionDocumentSchema, 'rollcall version --json'],
  error: [d.errorDocumentSchema, 'any rollcall command with --json that fails'],
} as const;

/** JSON Schema (draft 2020-12) of every document, by name. Unknown fields are allowed: later versions add some. */
export function jsonSchemas(): Record<keyof typeof DOCUMENTS, object> {
  const made = Object.entries(DOCUMENTS).map(([name, [schema, title]]) => [
    name,
    { ...jsonSchemaOf(schema), title },
  ]);
  return Object.fromEntries(made);
}
