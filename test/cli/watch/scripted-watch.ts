import { outsideOf } from '../../../src/cli/outside.ts';
import { watch } from '../../../src/cli/watch/watch.ts';
import type { Look } from '../../../src/engine/look.ts';
import { entry, explained, fullRoll, NOW, roll } from '../render/samples.ts';

// Run by the tests in a real terminal: the watch on a scripted machine. What it looks like is chosen by the arguments.
const [scene = 'full', ending = 'echo'] = process.argv.slice(2);
let looks = 0;

const look: Look = async (options) => {
  looks += 1;
  const number = looks;
  if (scene === 'slow' && number > 1) await new Promise(() => {});
  if (scene === 'fails' && number > 1) throw new Error('the process table cannot be read\u001b[31m');
  if (scene === 'throws' && number > 1) return null as never;
  if (scene === 'many') return seen(Array.from({ length: 100 }, (_, index) => entry(`session-${index}`)));
  if (scene === 'moves') {
    const order = number === 1 ? ['alpha', 'beta', 'gamma'] : ['gamma', 'alpha', 'beta'];
    return seen(order.map((name) => entry(name)));
  }
  const sessions = fullRoll().sessions;
  const closer = explained();
  return seen(
    options?.isThorough ? sessions.map((one) => (one.key === closer.key ? closer : one)) : sessions,
  );
};

function seen(sessions: ReturnType<typeof fullRoll>['sessions']) {
  const shift = Date.now() - NOW;
  return { ...roll(sessions.map((one) => ({ ...one, since: one.since + shift }))), at: Date.now() };
}

const outside = outsideOf(process, { version: '0', compose: async () => look });
const filter = { lifecycles: [], activities: [], agents: [], servers: [], words: [] };
const surroundings = {
  ...outside,
  argv: [],
  look,
  settings: {} as never,
  config: { notices: [] } as never,
};
const isJson = scene === 'json';
try {
  const code = await watch(surroundings, { everyMs: 300, isJson, isColor: true, filter });
  if (ending === 'echo') process.stdout.write(`watch ended with ${code}\n`);
} catch (error) {
  process.stdout.write(`watch failed: ${error instanceof Error ? error.message : error}\n`);
}
process.exit(0);
