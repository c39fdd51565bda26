import { RUNNER_NAME } from '../../core/lock/subject.ts';
import type { RunHeard } from '../../operations/run.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { checkName, noLock, rootOf } from '../lock/lock.ts';

/** The project's lock for a program that is started: asked for before, and taken by the program itself, in its pane. */
export function runLock(
  { self, lockDesk, now }: Surroundings,
  flags: { readonly 'lock-name': string | undefined; readonly task: string | undefined },
): NonNullable<RunHeard['lock']> {
  const name = flags['lock-name'] ?? RUNNER_NAME;
  return {
    // tmux starts what runs in a pane, so no descriptor of this process reaches it; behind `rollcall lock` it gets its own.
    behind(argv, cwd) {
      const task = flags.task === undefined ? [] : [`--task=${flags.task}`];
      return [...self, 'lock', `--project=${cwd}`, `--name=${name}`, ...task, '--', ...argv];
    },
    async require(cwd) {
      const desk = await lockDesk();
      checkName(name, 'lock-name');
      const subject = { name, project: rootOf(desk, cwd) };
      const taken = desk.locks.tryLock(subject, { task: flags.task ?? null, argv: [] });
      if (taken.state !== 'held') throw noLock(taken, now());
      taken.hold.release();
    },
  };
}
