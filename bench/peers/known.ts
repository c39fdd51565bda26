/** Everyone who is compared, with the version that was read and tried, and what it does of the same job. */
export const KNOWN = {
  rollcall: {
    version: 'this one',
    job: 'reads what runs in each session of tmux, and judges what the agent in it does. Told: the event that a client of its daemon gets. Sessions and terminals live on without it.',
  },
  pm2: {
    version: '7.0.4',
    job: 'starts the programs itself and is told by the kernel when one of its children ends; it knows nothing of what a program does. Its programs have no terminal. Told: the event on its bus.',
  },
  monit: {
    version: 'of Debian',
    job: 'looks up processes by their pid files, here once a second, its shortest cycle; it knows whether a process runs, not what it does. Told: the line in its log.',
  },
  ccmanager: {
    version: '4.2.3',
    job: 'has a terminal of its own for each agent and reads each screen ten times a second for what the agent does. Measured is its session manager alone, under Bun, since its screen needs a person at the keyboard. The terminals go with it. Told: its event that a session has ended.',
  },
  agentmux: {
    version: '1.0.0',
    job: 'a web server that asks tmux for the sessions of its teams and their last lines every two minutes, and is measured for as long. Measured is this server alone: its orchestrator needs an agent that is logged in. It tells of no session that dies by itself: it repeats the state that the agents declared.',
  },
} as const;

export type PeerName = keyof typeof KNOWN;

/** What ccmanager is run by: the packages made for a platform bring it along, but not for every version. */
export const BUN = '1.3.14';
