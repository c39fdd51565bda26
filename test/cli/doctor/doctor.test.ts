import * as v from 'valibot';
import { expect, test } from 'vitest';
import { doctorDocumentSchema } from '../../../src/contract/doctor-schema.ts';
import type { DoctorFacts } from '../../../src/core/doctor/facts.ts';
import type { Doctor } from '../../../src/engine/doctor/mender.ts';
import { entry } from '../../core/doctor/checks/doctor-facts.ts';
import { MARKED, processFacts, stranger } from '../../core/doctor/process-facts.ts';
import { run } from '../fake-outside.ts';

const orphan = stranger({
  process: { pid: 501 },
  argv: ['mcp-server-git'],
  env: { ...MARKED, CLAUDECODE: '1' },
  program: { name: 'mcp-server-\u001b[31mgit', command: 'mcp-server-git' },
});
const SICK = processFacts({ strangers: [stranger(), orphan, stranger({ process: { pid: 502 }, uid: 7 })] });
const HEALTHY = processFacts({ strangers: [stranger({ env: {}, program: { role: 'agent' } })] });
const PROCESSES = ['--only', 'agent-processes,helper-processes'];

function seeing(facts: DoctorFacts) {
  const doctor: Doctor = {
    gather: async (onStep) => {
      for (const step of ['sessions', 'ledger', 'processes', 'machine'] as const) onStep?.(step);
      return facts;
    },
    gatherProcesses: async () => facts,
    files: { mend: () => ({ state: 'failed', text: 'nobody was to do this' }) },
    protectedBy: () => undefined,
  };
  return { doctor: async () => doctor };
}

test('says what was found, from what, and what --fix would do step by step; exit 1', async () => {
  const { exitCode, stdout } = await run(['doctor', ...PROCESSES], { ...seeing(SICK), columns: 200 });
  expect(exitCode).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "PROCESSES
      info     agent-processes  1 finding
               left-running: 1, 4.0 KiB
        · sleep, pid 500: it outlived session 'build'; nothing proves that it is a helper of an agent; 4.0 KiB [left-running]
          → if nobody wants it: rollcall doctor --fix --pid 500
      warning  helper-processes  1 finding
               ours-orphaned: 1, 4.0 KiB
        ! mcp-server-\\e[31mgit (MCP server), pid 501: it outlived session 'build'; 4.0 KiB [ours-orphaned]
            TMUX names session $1 of server pid 42, TMUX_PANE %1
            session 'build' is gone: its server answers, and does not have it
            command: mcp-server-git
          --fix would:
            1. prove once more, right before, that nobody has it and that nothing protects it
            2. record the intent, with its pid, its program and the evidence
            3. SIGTERM and SIGCONT to this very process, then wait until it is gone; SIGKILL only with --force
            4. leave a receipt in the ledger

    2 checks, 1 finding that matters; --fix can mend 1
    "
  `);
  expect(stdout).not.toContain('\u001b');
});

test('what is only worth knowing leaves it healthy: exit 0', async () => {
  const { exitCode, stdout } = await run(['doctor', ...PROCESSES], seeing(HEALTHY));
  expect(exitCode).toBe(0);
  expect(stdout).toContain('2 checks, nothing that matters was found');
});

test('--json: the document that the contract describes', async () => {
  const { stdout, exitCode } = await run(['doctor', '--json', ...PROCESSES], seeing(SICK));
  expect(exitCode).toBe(1);
  const document = v.parse(doctorDocumentSchema, JSON.parse(stdout));
  expect(document.severity).toBe('warning');
  expect(document.checks.map(({ name, severity }) => [name, severity])).toEqual([
    ['agent-processes', 'info'],
    ['helper-processes', 'warning'],
  ]);
  expect(document.checks[0]?.findings.map((one) => [one.class, one.fixable, one.pid])).toEqual([
    ['left-running', false, 500],
  ]);
  expect(document.checks[0]?.unseen).toEqual([]);
  expect(document.checks[1]?.memory).toEqual([{ class: 'ours-orphaned', count: 1, memoryBytes: 4096 }]);
  expect(document.fixes).toEqual([]);
  expect(stdout).not.toMatch(/\\u001b/);
});

test('all checks run where none is named, and an unknown one is wrong usage', async () => {
  const { stdout } = await run(['doctor', '--json'], seeing(HEALTHY));
  expect(JSON.parse(stdout).checks.length).toBeGreaterThan(10);
  expect((await run(['doctor', '--only', 'everything'], seeing(HEALTHY))).exitCode).toBe(2);
});

test('--fix --dry-run says what would be mended and needs no hands', async () => {
  const dry = await run(['doctor', '--fix', '--dry-run', ...PROCESSES], seeing(SICK));
  expect(dry.exitCode).toBe(1);
  expect(dry.stdout).toContain("pid 501: it outlived session 'build'");
  const named = await run(['doctor', '--fix', '--dry-run', '--pid', '500', ...PROCESSES], seeing(SICK));
  expect(named.stdout).toContain("would-mend  sleep, pid 500: it outlived session 'build'");
  expect(named.stdout).not.toContain('would-mend  mcp');
  const json = await run(['doctor', '--fix', '--dry-run', '--json', ...PROCESSES], seeing(SICK));
  expect(
    JSON.parse(json.stdout).fixes.map((one: { pid: number; result: string }) => [one.pid, one.result]),
  ).toEqual([[501, 'would-mend']]);
});

test('--pid names only what was left running, and goes with --fix', async () => {
  const another = await run(['doctor', '--fix', '--dry-run', '--pid', '502', ...PROCESSES], seeing(SICK));
  expect([another.exitCode, another.stderr]).toEqual([2, expect.stringContaining('another user (uid 7)')]);
  const unknown = await run(['doctor', '--fix', '--dry-run', '--pid', '77', ...PROCESSES], seeing(SICK));
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('left running: 77')]);
  const elsewhere = await run(
    ['doctor', '--fix', '--dry-run', '--pid', '500', '--only', 'clock'],
    seeing(SICK),
  );
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([
    2,
    expect.stringContaining('--only leaves it out'),
  ]);
  for (const words of [
    ['--pid', '500'],
    ['--fix', '--dry-run', '--pid', '1'],
    ['--fix', '--pid', 'x'],
  ]) {
    expect((await run(['doctor', ...words], seeing(SICK))).exitCode).toBe(2);
  }
});

test('--fix without a terminal needs --yes: exit 2, with a hint', async () => {
  const refused = await run(['doctor', '--fix'], seeing(SICK));
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(/there is no terminal to ask on[\s\S]*--fix --yes/);
  expect((await run(['doctor', '--fix', '--json'], { ...seeing(SICK), isTTY: true })).exitCode).toBe(2);
});

test.each([['--yes'], ['--force'], ['--dry-run']])('%s goes with --fix', async (flag) => {
  const { exitCode, stderr } = await run(['doctor', flag], seeing(SICK));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('go with --fix');
});

test('a check that could not look says so, and that is no health', async () => {
  const blind = { ...HEALTHY, table: { ...HEALTHY.table, byPid: new Map(), problem: 'it is unreadable' } };
  const { exitCode, stdout } = await run(['doctor', ...PROCESSES], seeing(blind));
  expect(exitCode).toBe(8);
  expect(stdout).toContain('could not look: it is unreadable');
  expect(stdout).toContain('2 checks, 2 checks could not look everywhere');
});

const SILENT = {
  ...{ code: 'server-timeout', text: 'tmux did not answer in time', hint: 'wait' },
  socketPath: '/tmp/tmux-0/other',
};

test('10: what could not be looked at is said beside what was found, and weighs more: exit 8', async () => {
  const facts = { ...SICK, roll: { ...SICK.roll, problems: [SILENT] } };
  const { exitCode, stdout } = await run(['doctor', ...PROCESSES], { ...seeing(facts), columns: 200 });
  expect(exitCode).toBe(8);
  expect(stdout).toContain(
    '1 finding; could not look everywhere: the tmux server other: tmux did not answer in time',
  );
  expect(stdout).toContain('1 finding that matters; --fix can mend 1; 2 checks could not look everywhere');
});

test('10: --server leaves out what belongs to others, and problems of theirs', async () => {
  const facts = { ...SICK, roll: { ...SICK.roll, problems: [SILENT] } };
  const here = await run(['doctor', ...PROCESSES, '--server', 'main'], seeing(facts));
  expect(here.exitCode).toBe(1);
  expect(here.stdout).not.toContain('did not answer');
  const there = await run(['doctor', ...PROCESSES, '--server', 'other', '--json'], seeing(facts));
  expect(there.exitCode).toBe(8);
  const { checks, problems } = v.parse(doctorDocumentSchema, JSON.parse(there.stdout));
  expect([checks.flatMap(({ findings }) => findings), problems.length]).toEqual([[], 1]);
  const nowhere = await run(['doctor', ...PROCESSES, '--server', 'nowhere'], seeing(facts));
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([4, expect.stringContaining("'nowhere'")]);
});

test('10: a finding that says what was not seen is not said twice', async () => {
  const programs = [{ name: 'git', isFound: false, path: '/bin' }] as const;
  const facts = { ...HEALTHY, machine: { ...HEALTHY.machine, programs } };
  const { exitCode, stdout } = await run(['doctor', '--only', 'programs'], seeing(facts));
  expect(exitCode).toBe(8);
  expect(stdout.match(/git is not installed/g)).toHaveLength(1);
  expect(stdout).toContain('1 check, 1 check could not look everywhere');
});

test('10: what --fix does only for a check that is named is no step of --fix', async () => {
  const lost = entry({ lifecycle: 'lost', panes: [] });
  const facts = { ...HEALTHY, roll: { ...HEALTHY.roll, sessions: [lost] } };
  const { stdout } = await run(['doctor', '--only', 'lost-sessions'], { ...seeing(facts), columns: 200 });
  expect(stdout).not.toContain('--fix would:');
  expect(stdout).toContain('→ or let it go, which touches nothing: rollcall close build, or --fix --only');
  expect(stdout).toContain('none of them can be mended by --fix');
});
