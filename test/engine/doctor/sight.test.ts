import { expect, it } from 'vitest';
import { createSight, type SightParts } from '../../../src/engine/doctor/sight.ts';
import { doctorFacts, entry, SERVER } from '../../core/doctor/checks/doctor-facts.ts';

const { machine } = doctorFacts();

function parts(over: Partial<SightParts> = {}): SightParts & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    sensor: {
      settings: async (servers) => {
        asked.push(...servers.map(({ socketPath, pid }) => `${socketPath} ${pid}`));
        return [];
      },
      ...{ login: () => machine.login, disk: () => machine.disk, daemon: () => machine.daemon },
      ...{ stateFolder: () => machine.stateFolder, spool: () => machine.spool },
      missingFolders: (paths) => new Set(paths),
    },
    hooks: { inUse: () => ['claude'], status: () => [] },
    installed: async () => {
      asked.push('installed');
      return [];
    },
    pressure: { sense: () => [] },
    locks: { heldNow: () => ({ state: 'seen', locks: [] }) },
    reapModes: { read: () => ({ ...machine.reaper, stamp: '' }) },
    programs: () => machine.programs,
    conversations: { list: () => ({ count: 0, bytes: 0, removed: [] }), maxBytes: 1 },
    ...{ orphanPattern: () => undefined, staleHoldMs: 1 },
    ...over,
  };
}

it('asks each server that answered, and agents for their version only once', async () => {
  const given = parts();
  const sight = createSight(given);
  const { label, socketPath } = SERVER;
  const servers = [
    { ...SERVER, version: '3.8' },
    { label, socketPath, version: '3.8' },
  ];
  const { roll } = doctorFacts({ servers, sessions: [entry({ owner: '/owner' })] });
  const { care } = await sight(roll);
  await sight(roll);
  const asked = `${socketPath} ${SERVER.pid}`;
  expect(given.asked).toEqual([asked, 'installed', asked]);
  expect([...care.missingFolders]).toEqual(['/owner', '/project']);
});

it('tells which removed copies were the last of their conversation, and calls no such file a folder', async () => {
  const removed = (name: string, path: string) => ({
    ...{ name, path, removedAt: 3 },
    clues: { kind: 'claude', conversation: name, transcript: path, env: {}, cwd: null },
  });
  const given = parts({
    conversations: {
      list: () => ({ count: 1, bytes: 2, removed: [removed('r1-0', '/gone'), removed('r2-1', '/there')] }),
      maxBytes: 9,
    },
  });
  const missingFolders = (paths: Iterable<string>) => new Set([...paths].filter((path) => path === '/gone'));
  const sight = createSight({ ...given, sensor: { ...given.sensor, missingFolders } });
  const { machine: seen, care } = await sight(doctorFacts().roll);
  expect(seen.conversations).toEqual({
    ...{ count: 1, bytes: 2, maxBytes: 9 },
    lost: [{ receipt: 'r1', agent: 'claude', removedAt: 3, path: '/gone' }],
  });
  expect([...care.missingFolders]).toEqual([]);
});
