// The layers of docs/ARCHITECTURE.md: imports go only downwards, adapters never know each other,
// surfaces never know adapters, and one folder composes everything.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    only('schema-is-lowest', '^src/schema/', [], 'What describes data knows nothing of what it describes.'),
    only('core-is-pure', '^src/core/', ['^src/schema/'], 'The core imports only what describes data.'),
    {
      name: 'core-has-no-io',
      comment: 'No clock, no environment, no I/O in the core, and no package but what describes data.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: ['node_modules/valibot/'] },
    },
    only('ports-are-interfaces', '^src/ports/', ['^src/core/'], 'Ports speak the vocabulary of the core.'),
    only(
      'engine-knows-ports',
      '^src/engine/',
      ['^src/core/', '^src/ports/'],
      'The engine never names an adapter.',
    ),
    only('config-is-low', '^src/config/', ['^src/core/'], 'Config knows the core only.'),
    only(
      'contract-is-low',
      '^src/contract/',
      ['^src/core/', '^src/ports/', '^src/schema/'],
      'Contracts describe core values.',
    ),
    only('adapters-look-down', '^src/adapters/', ['^src/core/', '^src/ports/'], 'Adapters implement ports.'),
    {
      name: 'adapters-are-strangers',
      comment:
        'An adapter never imports another adapter; agents share a few tools, and all share what loads native code, what reads and replaces a small file and what ends a child.',
      severity: 'error',
      from: { path: '^src/adapters/(agents/[^/]+|[^/]+)/' },
      to: {
        path: '^src/adapters/',
        pathNot: [
          '^src/adapters/$1/',
          '^src/adapters/agents/common/',
          '^src/adapters/files/',
          '^src/adapters/native/',
          '^src/adapters/programs/',
        ],
      },
    },
    only(
      'operations-know-no-surface',
      '^src/operations/',
      ['^src/core/', '^src/ports/', '^src/engine/', '^src/contract/', '^src/config/', '^src/schema/'],
      'An operation is the same for every surface.',
    ),
    only(
      'surfaces-know-no-adapter',
      '^src/cli/',
      [
        '^src/operations/',
        '^src/core/',
        '^src/ports/',
        '^src/engine/',
        '^src/contract/',
        '^src/config/',
        '^src/client/',
      ],
      'A surface reaches adapters only through what src/compose/ hands it.',
    ),
    only(
      'server-is-a-surface',
      '^src/server/',
      [
        '^src/operations/',
        '^src/core/',
        '^src/ports/',
        '^src/engine/',
        '^src/contract/',
        '^src/config/',
        '^src/schema/',
      ],
      'The server reaches everything through the desk that it is handed.',
    ),
    only(
      'client-knows-the-contract',
      '^src/client/',
      ['^src/core/', '^src/contract/'],
      'The client knows the daemon by its documents only.',
    ),
    {
      name: 'client-loads-no-schema',
      comment: 'Of the contract the client needs the types; the schemas would load their library with it.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-compose-knows-adapters',
      comment: 'Everything else speaks with adapters through ports.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/adapters/', '^src/compose/'] },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'only-entries-compose',
      comment: 'What is composed is handed over, never fetched.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/compose/', '^src/(main|index)\\.ts$'] },
      to: { path: '^src/compose/' },
    },
    {
      name: 'no-dev-dependency-at-run-time',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/render/width\\.ts$', '^src/schema/json-schema\\.ts$'] },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
