export type {
  AgentsDocument,
  ConfigDocument,
  ErrorDocument,
  ExplainDocument,
  ProblemObject,
  RollDocument,
  VersionDocument,
} from './document-schemas.ts';
export {
  agentsDocumentSchema,
  configDocumentSchema,
  errorDocumentSchema,
  explainDocumentSchema,
  problemSchema,
  rollDocumentSchema,
  versionDocumentSchema,
} from './document-schemas.ts';
export { jsonSchemas } from './json-schema.ts';
export type { PaneObject, SessionObject } from './session-schema.ts';
export { paneSchema, sessionSchema } from './session-schema.ts';
