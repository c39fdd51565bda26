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
export { jsonSchemas } from './json-schema.ts';
export type { PaneObject, SessionObject } from './session-schema.ts';
export { paneSchema, sessionSchema } from './session-schema.ts';
