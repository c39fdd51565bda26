import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readProcessStat } from '../../src/adapters/lock/process-stat.ts';
import { OwnProcess } from '../adapters/lock/own-process.ts';
import { ROLLCALL } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let own: OwnProcess;
let tmux: PrivateTmux;
let project: string;
let log: string;
beforeAll(async () => {
  own = await OwnProcess.prepare();
});
afterAll(() => own.remove());
beforeEach(() => {
  tmux = new PrivateTmux();
  project = own.made('project');
  log = join(project, 'log');
});
afterEach(() => tmux.stop());

/** Writes a program for bash that says its pid, and the command line that runs it under a lock. */
function lockLine(program: string): string {
  const script = join(project, 'program.sh');
  writeFileSync(script, `echo $$ >>'${log}'\n${program}\n`);
  const state = own.made('state');
  return `XDG_STATE_HOME=${state} ${ROLLCALL} lock --project ${project} -- bash ${script}`;
}

const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
const keys = (...words: string[]) => tmux.tmux('send-keys', '-t', 'lock:', ...words);
const screen = () => tmux.tmux('capture-pane', '-p', '-t', 'lock:');
const stateOf = (pid: number) => readProcessStat(pid)?.state ?? 'gone';

/** Runs it from an interactive shell, which has job control, and gives the pids of rollcall and of the program. */
async function inShell(program: string): Promise<{ rollcall: number; runner: number }> {
  await tmux.session('lock', 'env', 'PS1=ready> ', 'bash', '--norc', '--noprofile', '-i');
  await until('the shell is there', screen, (text) => text.includes('ready>'));
  await keys('-l', lockLine(program));
  await keys('Enter');
  await until('it runs', lines, ([pid]) => Number(pid) > 0);
  const runner = Number(lines()[0]);
  return { runner, rollcall: readProcessStat(runner)?.ppid ?? 0 };
}

describe('rollcall lock on a terminal', () => {
  it('a Ctrl-C reaches the program once, not twice', async () => {
    const traps = `trap 'echo INT >>"${log}"' INT; trap 'echo END >>"${log}"; exit' TERM`;
    const { rollcall } = await inShell(`${traps}; echo trapped >>'${log}'; while :; do sleep 0.02; done`);
    await until('it is prepared', lines, (all) => all.includes('trapped'));
    await keys('C-c');
    await until('it came', lines, (all) => all.includes('INT'));
    // Sent on behind whatever else would be sent on.
    process.kill(rollcall, 'SIGTERM');
    await until('it ended', lines, (all) => all.includes('END'));
    expect(lines().slice(1)).toEqual(['trapped', 'INT', 'END']);
  });

  it('Ctrl-Z stops both and fg continues both', async () => {
    const { runner, rollcall } = await inShell(
      `while [ ! -e '${log}.end' ]; do sleep 0.05; done; echo ended >>'${log}'`,
    );
    await keys('C-z');
    await until(
      'both are stopped',
      () => [stateOf(runner), stateOf(rollcall)].join(),
      (states) => states === 'T,T',
    );
    await until('the shell is back', screen, (text) => text.trimEnd().endsWith('ready>'));
    writeFileSync(`${log}.end`, '');
    await keys('fg', 'Enter');
    await until('it ended', lines, (all) => all.includes('ended'));
  });

  it('a program that stops only itself gives the shell back, and fg continues it', async () => {
    const { runner, rollcall } = await inShell(`kill -STOP $$; echo continued >>'${log}'`);
    await until(
      'both are stopped',
      () => [stateOf(runner), stateOf(rollcall)].join(),
      (states) => states === 'T,T',
    );
    await until('the shell is back', screen, (text) => text.trimEnd().endsWith('ready>'));
    await keys('fg', 'Enter');
    await until('it went on', lines, (all) => all.includes('continued'));
  });

  it('never stops itself where nobody could continue it', async () => {
    const line = lockLine(`kill -STOP $$; echo continued >>'${log}'`);
    // A shell without job control waits for its end and would never continue it.
    await tmux.session('lock', 'sh', '-c', `env ${line}; true`);
    await until('it runs', lines, ([first]) => Number(first) > 0);
    const runner = Number(lines()[0]);
    const rollcall = readProcessStat(runner)?.ppid ?? 0;
    await until(
      'the program is stopped',
      () => stateOf(runner),
      (state) => state === 'T',
    );
    const startedAt = performance.now();
    await until('the watch has looked', () => {
      expect(stateOf(rollcall)).not.toBe('T');
      return performance.now() - startedAt > 900;
    });
    process.kill(rollcall, 'SIGCONT');
    await until('it went on', lines, (all) => all.includes('continued'));
  });
});
