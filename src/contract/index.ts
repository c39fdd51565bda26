export type { ActedDocument } from './acted-schema.ts';
export { actedDocumentSchema } from './acted-schema.ts';
export type { CloseDocument, ReopenDocument } from './close-schemas.ts';
export {
  closeDocumentSchema,
  receiptSchema,
  reopenDocumentSchema,
  wakeDocumentSchema,
} from './close-schemas.ts';
export type { ApiDocument, DaemonLine, DownDocument, UpDocument } from './daemon-schemas.ts';
export {
  apiDocumentSchema,
  daemonLineSchema,
  downDocumentSchema,
  upDocumentSchema,
} from './daemon-schemas.ts';
export type { DoctorDocument } from './doctor-schema.ts';
export { doctorDocumentSchema } from './doctor-schema.ts';
export type {
  AgentsDocument,
  ConfigDocument,
  ErrorDocument,
  ExplainDocument,
  HooksChangeDocument,
  HooksStatusDocument,
  ProblemObject,
  RollDocument,
  VersionDocument,
} from './document-schemas.ts';
export {
  agentsDocumentSchema,
  configDocumentSchema,
  errorDocumentSchema,
  explainDocumentSchema,
  hooksChangeDocumentSchema,
  hooksStatusDocumentSchema,
  problemSchema,
  rollDocumentSchema,
  versionDocumentSchema,
} from './document-schemas.ts';
export type {
  GateContractObject,
  GateEndedDocument,
  GateModeDocument,
  GateReportDocument,
  GateStartDocument,
  GateStatusDocument,
  GateSwitchDocument,
} from './gate-schemas.ts';
export {
  gateEndedDocumentSchema,
  gateModeDocumentSchema,
  gateReportDocumentSchema,
  gateStartDocumentSchema,
  gateStatusDocumentSchema,
  gateSwitchDocumentSchema,
} from './gate-schemas.ts';
export type { GuardDocument, SentinelDocument, WaitDocument } from './guard-schemas.ts';
export { guardDocumentSchema, sentinelSchema, waitDocumentSchema } from './guard-schemas.ts';
export type { BacktestDocument, ReapReportDocument } from './history-schemas.ts';
export { backtestDocumentSchema, reapReportDocumentSchema } from './history-schemas.ts';
export { openApi } from './http/openapi.ts';
export type {
  ChangeDocument,
  PressureDocument,
  ProblemDocument,
  ReaperDocument,
  SessionDocument,
  StreamDocument,
} from './http/response-schemas.ts';
export {
  changeDocumentSchema,
  pressureDocumentSchema,
  problemDocumentSchema,
  reaperDocumentSchema,
  sessionDocumentSchema,
  streamDocumentSchema,
} from './http/response-schemas.ts';
export { jsonSchemas } from './json-schema.ts';
export type { LogDocument, LogLine, VerifyDocument } from './ledger-schemas.ts';
export { logDocumentSchema, logLineSchema, verifyDocumentSchema } from './ledger-schemas.ts';
export type { LockStatusDocument } from './lock-schema.ts';
export { lockStatusDocumentSchema } from './lock-schema.ts';
export type { NotifyTestDocument } from './notify-schema.ts';
export { notifyTestDocumentSchema } from './notify-schema.ts';
export type { Input, OperationName, Output } from './operations.ts';
export { OPERATIONS } from './operations.ts';
export type { ReapDocument, ReapModeDocument } from './reap-schemas.ts';
export { reapDocumentSchema, reapModeDocumentSchema } from './reap-schemas.ts';
export type { RestoreDocument } from './restore-schema.ts';
export { restoreDocumentSchema } from './restore-schema.ts';
export type { PaneObject, SessionObject } from './session-schema.ts';
export { paneSchema, sessionSchema } from './session-schema.ts';
export type { StatusDocument } from './status-schema.ts';
export { statusDocumentSchema } from './status-schema.ts';
