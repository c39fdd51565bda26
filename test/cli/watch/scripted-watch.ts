import { existsSync, writeFileSync } from 'node:fs';
import { outsideOf } from '../../../src/cli/frame/outside.ts';
import type { Surroundings } from '../../../src/cli/frame/surroundings.ts';
import { watch } from '../../../src/cli/watch/watch.ts';
import type { Roll, SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Look } from '../../../src/engine/look/look.ts';
import { entry, explained, fullRoll, NOW, roll } from '../render/samples.ts';

// Run by the tests as a program: the watch on a scripted machine. Arguments: what is to be seen, a file for the pid, and
// a file that the test makes when the scene is to change.
const [scene = 'full', pidFile, cueFile = ''] = process.argv.slice(2);
let looks = 0;
let isBroken = false;

const look: Look = async (options) => {
  looks += 1;
  switch (scene) {
    case 'slow':
      return looks === 1 ? seen([entry('alpha'), entry('beta')]) : new Promise<Roll>(() => {});
    case 'fails':
      if (looks > 1) throw new Error('no table\u001b[31m');
      return seen([entry('alpha')]);
    case 'throws':
      isBroken = existsSync(cueFile);
      return seen([entry('alpha')]);
    case 'many':
      return seen(Array.from({ length: 100 }, (_, index) => entry(`session-${index}`)));
    case 'moves': {
      const order = existsSync(cueFile) ? ['gamma', 'alpha', 'beta'] : ['alpha', 'beta', 'gamma'];
      return seen(order.map((name) => entry(name)));
    }
    default: {
      const closer = explained();
      const { sessions } = fullRoll();
      return seen(
        options?.inspect ? sessions.map((one) => (one.key === closer.key ? closer : one)) : sessions,
      );
    }
  }
};

function seen(sessions: readonly SessionEntry[]): Roll {
  const shift = Date.now() - NOW;
  return { ...roll(sessions.map((one) => ({ ...one, since: one.since + shift }))), at: Date.now() };
}

// Only the process itself is real: nothing here is composed or configured.
const outside = outsideOf(process, { version: '0' } as Parameters<typeof outsideOf>[1]);
const surroundings = {
  ...outside,
  look,
  config: { notices: [] },
  now: () => {
    if (isBroken) throw new Error('the clock broke');
    return Date.now();
  },
} as unknown as Surroundings;
if (pidFile !== undefined) writeFileSync(pidFile, String(process.pid));
try {
  const code = await watch(surroundings, {
    everyMs: 300,
    isJson: scene === 'json',
    isColor: false,
    filter: { lifecycles: [], activities: [], agents: [], servers: [], words: [] },
  });
  if (outside.stdout.isTTY) outside.stdout.write(`watch ended with ${code}\n`);
  process.exit(code);
} catch (error) {
  outside.stdout.write(`watch failed: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
