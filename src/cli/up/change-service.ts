import { daemonObject, toUpDocument } from '../../contract/daemon-documents.ts';
import { shownCommand } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import { Failure } from '../../operations/failure.ts';
import type { ServicePlan } from '../../ports/daemon.ts';
import { askYes } from '../frame/ask.ts';
import { writeJson } from '../frame/write-json.ts';
import { foregroundWords, type UpCall } from './up-call.ts';

/** Shows what would be written and run, asks, and does it. */
export async function changeService(action: ServicePlan['action'], call: UpCall): Promise<number> {
  const { flags, surroundings } = call;
  const { stdout, stdin } = surroundings;
  const control = await surroundings.daemonControl();
  const seen = control.see();
  const desk = control.service(foregroundWords(call));
  const plan = desk.plan(action, seen.state === 'running');
  if (plan.state === 'refused') throw new Failure('refused', plan.text, { hint: plan.hint });
  if (!flags.json) stdout.write(planText(plan, seen.state === 'running'));
  const isNothing = action === 'uninstall' && plan.before === null;
  if (!isNothing && !flags.yes) {
    if (flags.json || !stdin.isTTY || !stdout.isTTY) {
      throw new Failure('usage', 'nothing was changed: there is no terminal to ask on', {
        hint: 'say --yes',
      });
    }
    if (!(await askYes('Do this?', surroundings))) throw new Failure('refused', 'nothing was changed');
  }
  const applied = isNothing ? { state: 'done' as const, missed: [] } : desk.apply(plan);
  if (applied.state === 'failed') throw new Failure('failed', applied.text);
  const result = action === 'install' ? 'installed' : 'uninstalled';
  const missed = applied.missed.map((command) => [...command]);
  if (flags.json) {
    writeJson(
      stdout,
      toUpDocument(result, daemonObject(control.see()), { service: { path: plan.path, missed } }),
    );
  } else stdout.write(doneText(plan, missed, isNothing));
  return 0;
}

function planText({ path, text, before, commands, action }: ServicePlan, isRunning: boolean): string {
  if (action === 'uninstall' && before === null) return '';
  const file = text === null ? `remove ${visible(path)}\n` : `write ${visible(path)}:\n\n${indented(text)}\n`;
  const running =
    action === 'install' && isRunning
      ? '\na daemon runs already and goes on; the next login starts this one\n'
      : '';
  return `${file}${commands.map((command) => `run   ${shownCommand(command, 4096)}\n`).join('')}${running}`;
}

function doneText(
  { path, text }: ServicePlan,
  missed: readonly (readonly string[])[],
  isNothing: boolean,
): string {
  if (isNothing) return 'no unit of rollcall is installed\n';
  const done = text === null ? `removed ${visible(path)}\n` : `wrote ${visible(path)}\n`;
  if (missed.length === 0) return done;
  const left = missed.map((command) => `  ${shownCommand(command, 4096)}\n`).join('');
  return `${done}this could not be run here; run it yourself where you are logged in:\n${left}`;
}

function indented(text: string): string {
  const rows = text.trimEnd().split('\n');
  return rows.map((row) => (row === '' ? '\n' : `    ${visible(row)}\n`)).join('');
}
