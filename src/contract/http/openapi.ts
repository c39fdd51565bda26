import type * as v from 'valibot';
import { jsonSchemaOf } from '../../schema/json-schema.ts';
import * as d from '../documents.ts';
import { eachRouted, methodOf, OPERATIONS, ROUTED_NAMES, type RoutedName, restOf } from '../operations.ts';
import { ROUTES, type Route, type RouteName } from './routes.ts';

const OWN = {
  session: ['Session', d.sessionDocumentSchema],
  reaper: ['Reaper', d.reaperDocumentSchema],
  pressure: ['Pressure', d.pressureDocumentSchema],
  events: ['Change', d.changeDocumentSchema],
  metrics: null,
  openapi: null,
  health: ['Health', d.healthDocumentSchema],
} as const satisfies Record<Exclude<RouteName, RoutedName>, readonly [string, v.GenericSchema] | null>;

/** What operations answer with, by the names that they have for it. */
const OUTPUTS = {
  Roll: d.rollDocumentSchema,
  Explained: d.explainDocumentSchema,
  Waited: d.waitDocumentSchema,
  Status: d.statusDocumentSchema,
  Examined: d.doctorDocumentSchema,
  Log: d.logDocumentSchema,
  Reaps: d.reapReportDocumentSchema,
  Gate: d.gateStatusDocumentSchema,
  GateReport: d.gateReportDocumentSchema,
  Acted: d.actedDocumentSchema,
  Closed: d.closeDocumentSchema,
  Woken: d.wakeDocumentSchema,
  Reopened: d.reopenDocumentSchema,
  Restored: d.restoreDocumentSchema,
} as const satisfies Record<(typeof OPERATIONS)[RoutedName]['output'], v.GenericSchema>;

/** What each route answers with; by name, so that the description tells it once. */
export const responseSchemas: Readonly<Record<RouteName, readonly [string, v.GenericSchema] | null>> = {
  ...OWN,
  ...eachRouted((name) => {
    const { output } = OPERATIONS[name];
    return [output, OUTPUTS[output]] as const;
  }),
};

/** The description of the HTTP API (OpenAPI 3.1), made from the schemas that its answers are tested against. */
export function openApi(): object {
  const all: readonly (readonly [string, v.GenericSchema])[] = [
    ...Object.entries({ Problem: d.problemDocumentSchema, Stream: d.streamDocumentSchema }),
    ...Object.values(responseSchemas).flatMap((one) => (one === null ? [] : [one])),
    ...ROUTED_NAMES.filter((name) => methodOf(name) === 'POST').map(
      (name) => [bodyName(name), restOf(name)] as const,
    ),
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: 'rollcall',
      version: '1',
      description:
        'The API of a running daemon (rollcall up), on a Unix socket and on the loopback interface. Fields may be added under this version, never renamed or given another meaning.',
    },
    servers: [{ url: 'http://127.0.0.1:{port}', variables: { port: { default: '0' } } }],
    security: [{ token: [] }],
    paths: pathsOf(Object.entries(ROUTES) as [RouteName, Route][]),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'what is in the file `token`; not needed on the socket',
        },
      },
      schemas: Object.fromEntries(all.map(([name, schema]) => [name, partOf(schema)])),
    },
  };
}

function pathsOf(routes: readonly [RouteName, Route][]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(name, route) };
  }
  return paths;
}

function operationOf(name: RouteName, route: Route): object {
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(name, route)];
  return {
    operationId: name,
    summary: route.summary,
    ...(route.isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.method === 'POST' && {
      requestBody: { required: false, content: { 'application/json': { schema: ref(bodyName(name)) } } },
    }),
    responses: {
      200: { description: 'done', content: contentOf(name) },
      default: {
        description: 'a problem',
        content: { 'application/problem+json': { schema: ref('Problem') } },
      },
    },
  };
}

function contentOf(name: RouteName): object {
  const response = responseSchemas[name];
  if (name === 'metrics') return { 'text/plain': { schema: { type: 'string' } } };
  if (response === null) return { 'application/json': { schema: { type: 'object' } } };
  return { [name === 'events' ? 'text/event-stream' : 'application/json']: { schema: ref(response[0]) } };
}

function pathParameters({ path }: Route): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
}

function queryParameters({ query = {} }: Route): object[] {
  return Object.entries(query).map(([name, { means }]) => ({
    ...{ name, in: 'query', required: false, description: means, schema: { type: 'string' } },
  }));
}

function headerParameters(name: RouteName, { method }: Route): object[] {
  const header = (title: string, description: string) => ({
    ...{ name: title, in: 'header', required: false, description, schema: { type: 'string' } },
  });
  if (name === 'events') return [header('Last-Event-ID', 'the last event that was seen')];
  if (method !== 'POST') return [];
  return [
    header('Idempotency-Key', 'the same key and body within 24 hours gives the same answer, done once'),
  ];
}

function bodyName(action: string): string {
  return `${action.slice(0, 1).toUpperCase()}${action.slice(1)}Request`;
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function partOf(schema: v.GenericSchema): object {
  const { $schema: _, ...rest } = jsonSchemaOf(schema);
  return rest;
}
