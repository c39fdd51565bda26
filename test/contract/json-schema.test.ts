import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../src/contract/json-schema.ts';

const schemas = jsonSchemas() as Record<string, Record<string, unknown>>;

describe('the JSON Schemas', () => {
  it('describe every document', () => {
    expect(Object.keys(schemas)).toEqual([
      ...[
        'roll',
        'explain',
        'config',
        'agents',
        'status',
        'doctor',
        'up',
        'down',
        'api',
        'daemon-line',
        'hooks-change',
        'hooks-status',
      ],
      ...[
        'acted',
        'close',
        'wake',
        'reopen',
        'restore',
        'wait',
        'guard',
        'sentinel',
        'log',
        'log-line',
        'verify',
        'reap-mode',
        'reap',
        'reap-report',
        'backtest',
        'gate-start',
        'gate-status',
        'gate-ended',
        'gate-mode',
        'gate-report',
        'gate-switch',
        'lock-status',
        'notify-test',
        'version',
        'error',
      ],
    ]);
  });

  it.each(Object.entries(schemas))('of %s let later versions add fields, at every level', (_, schema) => {
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
    expect(schema).toMatchObject({ type: 'object', properties: { schemaVersion: { const: 1 } } });
  });

  it('require what the contract promises', () => {
    expect(schemas.roll).toMatchObject({
      required: ['schemaVersion', 'host', 'at', 'memory', 'servers', 'sessions', 'problems'],
    });
  });
});
