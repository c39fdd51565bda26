import { AGENT_KINDS, versionOf } from './install.ts';

/** One thing that the gate has to do, and what was seen of it. */
export interface GateScene {
  readonly name: string;
  readonly ms: number;
  readonly seen: string;
  /** What was not as it has to be; null when all was. */
  readonly failure: string | null;
}

/** Everything that was played with one agent. */
export interface Gated {
  readonly title: string;
  readonly scenes: readonly GateScene[];
}

/** The page about agents that are kept going, and those that are not. */
export function gatedPage(all: readonly Gated[], machine: string): string {
  const versions = AGENT_KINDS.map((kind) => `${kind} ${versionOf(kind)}`);
  return `# Agents that want to stop

Written by \`npm run test:agents -- --gate\`: real agents (${versions.join(', ')}) with the hooks of
\`rollcall hooks install\`, in a private tmux server without network, against a scripted model on loopback that stops at once and,
when a blocked stop tells it to go on, does a part of what is missing or refuses to. One of them owns a piece of work
(\`rollcall gate start\`); others of the same kind work in the same checkout. Whether an agent went on is known from the
requests that its model got, not from rollcall. Machine of this run: ${machine}.

${all.map(section).join('\n')}`;
}

function section({ title, scenes }: Gated): string {
  const failed = scenes.filter(({ failure }) => failure !== null);
  return `## ${title}

| scene | took | seen |
| --- | ---: | --- |
${scenes.map(row).join('\n')}

${failed.length === 0 ? 'All of it was as it has to be.' : `Not as it has to be: ${failed.map(({ name }) => name).join('; ')}.`}
`;
}

function row({ name, ms, seen, failure }: GateScene): string {
  const text = failure === null ? seen : `**not as it has to be:** ${failure}`;
  return `| ${name} | ${(ms / 1000).toFixed(1)} s | ${text.replaceAll('|', '\\|').replaceAll('\n', ' ')} |`;
}
