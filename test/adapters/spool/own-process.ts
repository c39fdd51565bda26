import { OwnProcess } from '../../support/own-process.ts';

/** Scripts find a `log` of the spool `args[0]`, whose payloads are their meanings. */
export function prepareSpool(): Promise<OwnProcess> {
  return OwnProcess.prepare(
    ['src/adapters/spool/hook-log.ts'],
    `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { createHookLog } from './module.mjs';
    const log = createHookLog({
      folder: args[0],
      translate: () => ({ payload }) => ({ conversation: null, ...payload }),
      now: () => Date.now(),
    });`,
  );
}
