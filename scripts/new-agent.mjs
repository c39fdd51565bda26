// Lays out the files of a new agent adapter, its test and its folder of fixtures:
//   npm run new:agent -- NAME [PROGRAM]
// Nothing that exists is written over. What it makes knows the agent by its process and hears nothing yet.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const [name = '', program = name, root = '.'] = process.argv.slice(2);
if (!/^[a-z][a-z0-9-]{1,30}$/.test(name) || !/^[\w.-]{1,60}$/.test(program)) {
  process.stderr.write('usage: npm run new:agent -- NAME [PROGRAM]   (NAME: lower case, digits, dashes)\n');
  process.exit(2);
}
const camel = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const folder = `src/adapters/agents/${name}`;
const files = {
  [`${folder}/${name}-agent.ts`]: `import type { AgentAdapter } from '../../../ports/agent.ts';
import { isItself } from './command-line.ts';
import { HOOKS } from './hooks.ts';
import { listen } from './listen.ts';
import { readScreen } from './screen.ts';
import { VERIFIED } from './verified.ts';

/** ${name}. */
export function ${camel}Agent(): AgentAdapter {
  return {
    kind: '${name}',
    recognises: isItself,
    listen,
    readScreen,
    verified: VERIFIED,
    hooks: HOOKS,
    exit: { command: '/exit', signal: 'process' },
  };
}
`,
  [`${folder}/command-line.ts`]: `import { isStartedBy } from '../common/started-by.ts';

/** The interactive program, by exact words of its command line. */
export function isItself(argv: readonly string[]): boolean {
  return isStartedBy(argv, { programs: ['${program}'], packages: [] });
}
`,
  [`${folder}/verified.ts`]: `import type { VersionRange } from '../../../core/agent/version.ts';

/** The versions that were really run and recorded. */
export const VERIFIED: VersionRange = { from: '0.0.0', to: '0.0.0' };
`,
  [`${folder}/listen.ts`]: `import type { AgentReading, AgentScene } from '../../../ports/agent.ts';

/**
 * Everything but the screen: its own status, what its hooks told, its transcript, its title. A sign tells only what its
 * source really shows; a fact that is left out stays unknown, and unknown is never idle.
 */
export function listen(_scene: AgentScene): AgentReading {
  return { signs: [], gaps: [], failures: [] };
}
`,
  [`${folder}/screen.ts`]: `import type { AgentSign } from '../../../core/agent/sign.ts';
import type { AgentReading, CapturedScreen } from '../../../ports/agent.ts';

/** What the screen shows; null while nothing on it is understood. */
export function readScreen(_screen: CapturedScreen, _reading: AgentReading): AgentSign | null {
  return null;
}
`,
  [`${folder}/hooks.ts`]: `import type { AgentHooks } from '../../../ports/agent.ts';

/** Its events, and what they mean. */
export const HOOKS: AgentHooks = { events: [], translate: () => null };
`,
  [`test/adapters/agents/${name}/${name}-agent.test.ts`]: `import { describe, expect, it } from 'vitest';
import { ${camel}Agent } from '../../../../src/adapters/agents/${name}/${name}-agent.ts';

const agent = ${camel}Agent();

describe('${name}', () => {
  it('S8: is known by its exact program', () => {
    expect(agent.recognises(['${program}'])).toBe(true);
    expect(agent.recognises(['vim', '${program}'])).toBe(false);
    expect(agent.recognises(['my${program}'])).toBe(false);
  });
});
`,
  [`test/fixtures/agents/${name}/README.md`]: `# Recordings of ${name}

Screens (\`capture-pane -e -p\`), cursors, titles, hook payloads and transcripts of real runs, each named by state and
width, with paths and keys made neutral. Versions recorded: none yet.
`,
};

const existing = Object.keys(files).filter((file) => existsSync(join(root, file)));
if (existing.length > 0) {
  process.stderr.write(`${existing[0]} exists already: nothing was written\n`);
  process.exit(1);
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(resolve(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, { flag: 'wx' });
  process.stdout.write(`${file}\n`);
}
process.stdout.write(`
Next: add ${camel}Agent() to allAgents() in src/compose/look/agents.ts, record the real program into test/fixtures/agents/${name},
and let each sign tell only what its source would show. docs/ARCHITECTURE.md says how signs are fused.
`);
