import { describe, expect, it } from 'vitest';
import { openApi, responseSchemas } from '../../../src/contract/http/openapi.ts';
import { ROUTES, type Route } from '../../../src/contract/http/routes.ts';

const described = openApi() as {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
  readonly components: { readonly schemas: Record<string, unknown> };
};

describe('the description of the HTTP API', () => {
  it('has every route, by its name, with its parameters', () => {
    expect(described.openapi).toBe('3.1.0');
    for (const [name, route] of Object.entries(ROUTES) as [string, Route][]) {
      const operation = described.paths[route.path]?.[route.method.toLowerCase()];
      expect([name, operation?.operationId]).toEqual([name, name]);
      const parameters = (operation?.parameters ?? []) as { name: string; in: string }[];
      const given = parameters.filter((one) => one.in !== 'header').map((one) => one.name);
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, word]) => word);
      expect([name, given]).toEqual([name, [...inPath, ...Object.keys(route.query ?? {})]]);
      expect([name, operation?.security]).toEqual([name, route.isOpen ? [] : undefined]);
      expect([name, operation?.requestBody === undefined]).toEqual([name, route.method === 'GET']);
    }
    expect(Object.keys(responseSchemas).sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it('refers to nothing that it does not hold', () => {
    const text = JSON.stringify(described);
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of new Set(refs)) {
      expect(ref).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(Object.keys(described.components.schemas)).toContain(ref.split('/').at(-1));
    }
  });
});
