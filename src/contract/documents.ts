// Every document and what documents consist of: schemas and types.

export * from './acted-schema.ts';
export * from './close-schemas.ts';
export * from './daemon-schemas.ts';
export * from './doctor-schema.ts';
export * from './document-schemas.ts';
export * from './gate-schemas.ts';
export * from './guard-schemas.ts';
export * from './history-schemas.ts';
export * from './http/response-schemas.ts';
export * from './ledger-schemas.ts';
export * from './lock-schema.ts';
export * from './notify-schema.ts';
export * from './reap-schemas.ts';
export * from './restore-schema.ts';
export * from './session-schema.ts';
export * from './status-schema.ts';
