export * from './documents.ts';
export { openApi } from './http/openapi.ts';
export { jsonSchemas } from './json-schema.ts';
export { type Input, OPERATIONS, type OperationName, type Output } from './operations.ts';
