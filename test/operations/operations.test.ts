import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES, type CommandName, loadCommand } from '../../src/cli/frame/load-command.ts';
import { createClient } from '../../src/client/index.ts';
import { openApi } from '../../src/contract/http/openapi.ts';
import { ROUTES, type Route } from '../../src/contract/http/routes.ts';
import {
  OPERATIONS,
  type Operation,
  type OperationName,
  type RoutedName,
} from '../../src/contract/operations.ts';
import { EXIT_CODES } from '../../src/core/exit-codes.ts';
import type { Roll } from '../../src/core/sight/roll.ts';
import type { At } from '../../src/operations/at.ts';
import { operationsAt, RUNS } from '../../src/operations/runs.ts';

const { paths } = openApi() as {
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>;
};

describe.each(Object.entries(OPERATIONS) as [OperationName, Operation][])(
  'the operation %s',
  (name, operation) => {
    it('has a command with an example, whose exits are those that it may fail with', async () => {
      const { command: own = name } = operation;
      expect(COMMAND_NAMES).toContain(own);
      const command = await loadCommand(own as CommandName);
      const called = own === 'roll' ? 'rollcall' : `rollcall ${own}`;
      expect(Object.keys(command.examples).some((line) => line.startsWith(called))).toBe(true);
      const exits = Object.keys(command.exits).filter((exit) => exit !== 'done');
      expect([...exits].sort()).toEqual([...operation.fails].sort());
      for (const code of operation.fails) expect(EXIT_CODES).toHaveProperty(code);
    });

    it('has something that does it, and a method of the library', () => {
      expect(RUNS[name]).toBeTypeOf('function');
      expect(operationsAt({} as At)[name]).toBeTypeOf('function');
    });

    if (operation.carried === 'here') {
      it('says why only the process of whoever asks can do it, and is on no other surface', () => {
        expect(operation.because).toBeTruthy();
        expect(ROUTES).not.toHaveProperty(name);
        expect(createClient({ socketPath: '/nowhere' })).not.toHaveProperty(name);
      });
      return;
    }

    const route: Route = ROUTES[name as RoutedName];

    it('has a route, which is described, and a method of the client', () => {
      const { method, path } = route;
      expect(method).toBe(operation.changes === 'looks' ? 'GET' : 'POST');
      expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
      expect(createClient({ socketPath: '/nowhere' })).toHaveProperty(name);
    });

    it('takes on HTTP what its address does not say', () => {
      const { word, input, changes } = operation;
      const rest = Object.keys(input.entries).filter((field) => field !== word);
      const { path, query = {} } = route;
      expect(path.match(/\{(\w+)\}/)?.[1] ?? null).toBe(word);
      expect(Object.keys(query)).toEqual(changes === 'looks' ? rest : []);
      for (const { means } of Object.values(query)) expect(means).not.toBe('');
    });
  },
);

it('answers with a copy: whoever changes it changes nothing that others see', async () => {
  const memory = { totalBytes: 2, availableBytes: 1 };
  const host = { machineId: 'm', bootId: 'b', name: 'n' };
  const seen = { host, at: 1, memory, servers: [], sessions: [], problems: [] } as unknown as Roll;
  const { roll } = operationsAt({ look: async () => seen } as unknown as At);
  const answer = await roll();
  expect(answer.memory).toEqual(memory);
  expect(answer.memory).not.toBe(memory);
});
