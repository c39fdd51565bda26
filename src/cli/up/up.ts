import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle } from '../frame/flags.ts';

export const upCommand = defineCommand({
  name: 'up',
  summary: 'Start the daemon, which supervises all the time.',
  usage: [
    'rollcall up [flags]',
    'rollcall up --foreground [flags]',
    'rollcall up --install|--uninstall [--yes] [flags]',
  ],
  description: [
    'Starts the daemon in the background and waits until it is ready. It looks again and again, quickly where something changes and slowly where nothing does, and at once when a hook, a command or the death of a process tells of something new. It outlives the terminal, and ends with rollcall down. Beside a running one it only says so. Other commands work without it.',
    'With --foreground it runs here until q, Ctrl-C or a signal: on a terminal it shows the live roll, otherwise it prints a line for each change. Beside a running daemon it shows the live roll all the same.',
    'With --install it shows the systemd user unit (launchd agent on macOS) that starts the daemon at login, asks, writes it and starts it; --uninstall takes it away again. Stopping the daemon or its unit never ends a tmux server.',
    'What it does is written to daemon.log in the state folder, which is bounded.',
  ],
  flags: {
    foreground: toggle('Run here, until q, Ctrl-C or a signal.', 'f'),
    install: toggle('Start the daemon at login.'),
    uninstall: toggle('Do not start it at login any more.'),
    yes: toggle('Do not ask. Needed where there is no terminal.', 'y'),
  },
  examples: {
    'rollcall up': 'start it in the background',
    'rollcall up --foreground': 'run it here, with the live roll',
    'rollcall up --install': 'start it at every login',
    "rollcall up --json | jq -r '.daemon.url'": 'for programs',
  },
  exits: {
    done: 'it runs, or ran already; in the foreground, it was ended',
    failed: 'it could not be started; the end of its log is shown',
    usage: 'an unknown flag, a broken config file, or nobody to ask and no --yes',
    refused: 'the question was answered with no, or the unit is not rollcall’s',
    'timed-out': 'it started but was not ready in time; it goes on',
  },
  run: async ({ flags, surroundings }) => {
    if ([flags.foreground, flags.install, flags.uninstall].filter(Boolean).length > 1) {
      throw new Failure('usage', '--foreground, --install and --uninstall exclude each other');
    }
    if (flags.install || flags.uninstall) {
      const { changeService } = await import('./change-service.ts');
      return changeService(flags.install ? 'install' : 'uninstall', { flags, surroundings });
    }
    if (flags.foreground) {
      const { runForeground } = await import('./foreground.ts');
      return runForeground({ flags, surroundings });
    }
    const { startInBackground } = await import('./background.ts');
    return startInBackground({ flags, surroundings });
  },
});
