import { AGENT_KINDS, versionOf } from './install.ts';
import type { Leaving } from './leftover-room.ts';

/** The page about what killed agents leave behind. */
export function leftoversPage(all: readonly Leaving[], machine: string): string {
  const versions = AGENT_KINDS.map((kind) => `${kind} ${versionOf(kind)}`);
  return `# What killed agents leave behind

Written by \`npm run test:agents -- --doctor\`: real agents (${versions.join(', ')}) are started with
\`rollcall run\`, are given a tool that takes long, and are killed with SIGKILL in the midst of it. What runs after that is
known from marks that the driver set, not from rollcall; every process of it has to be found by \`rollcall doctor\`, with the
right class and the right session. \`--fix --yes\` has to leave all of them, since a tool that runs may be wanted;
\`--fix --pid N\` has to end exactly the one that is named: everything else that runs beside it, the same program in
somebody else's pane too, has to run on. In a private tmux server without network, against a scripted model
on loopback, with rollcall's hooks. Machine of this run: ${machine}.

Each agent is killed twice: once in a session that lives on (a second window keeps it) and is ended later, in a foreground
tool; once so that its session goes with it, with a tool in the foreground and one in the background. A neighbour, the same
agent in the same home with a tool of its own, has to live through all of it. Codex is started a second time as it is by
default, with the daemon that all of its panes share, and its first pane is killed.

${all.map(section).join('\n')}`;
}

function section({ title, steps, failure }: Leaving): string {
  const rows = steps.map(({ name, ms, seen }) => `| ${name} | ${(ms / 1000).toFixed(1)} s | ${seen} |`);
  return `## ${title}

| what | took | seen |
| --- | ---: | --- |
${rows.join('\n')}

${failure === null ? 'All of it was as it has to be.' : `Not as it has to be: ${failure}`}
`;
}
