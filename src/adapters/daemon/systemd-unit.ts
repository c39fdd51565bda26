import type { ServiceProgram } from './service-program.ts';

/** The user unit that runs the daemon from login on. */
export function systemdUnit({ argv, env, marker }: ServiceProgram): string {
  const [program = '', ...words] = argv;
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`);
  return `# ${marker}
[Unit]
Description=rollcall: keeps the roll of the agent sessions in tmux
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=simple
ExecStart=${[quoted(program), ...words.map((word) => quoted(word).replaceAll('$', '$$$$'))].join(' ')}
WorkingDirectory=/
${variables.join('')}Restart=on-failure
RestartSec=5
TimeoutStopSec=90
# Only rollcall itself: tmux servers that it started live on when it stops.
KillMode=process

[Install]
WantedBy=default.target
`;
}

// In double quotes systemd takes C escapes, and it expands % everywhere. A $ is expanded in the words behind the program.
function quoted(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(/[\u0000-\u001f\u007f]/g, (control) => `\\x${hex(control)}`)
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}
