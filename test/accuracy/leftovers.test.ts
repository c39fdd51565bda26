import { describe, expect, it } from 'vitest';
import type { Diagnosis, Said } from '../../accuracy/leftover-room.ts';
import {
  expectClass,
  expectFixable,
  expectOnlyLiving,
  expectRunning,
  named,
} from '../../accuracy/leftover-words.ts';
import { leftoversPage } from '../../accuracy/leftovers-report.ts';
import { identityOf } from '../../accuracy/marked-processes.ts';

// No process has these numbers: pid_max ends before.
const [SHELL, SLEEP] = [
  { pid: 5_000_001, startTicks: '1' },
  { pid: 5_000_002, startTicks: '1' },
];
const orphan: Said = {
  ...{ class: 'ours-orphaned', fixable: true, session: 'k', pid: SHELL.pid, memoryBytes: 1024 * 1024 },
  text: `bash, pid ${SHELL.pid}: it outlived session 'a'`,
};

function diagnosis(...said: readonly Said[]): Diagnosis {
  return { code: 1, said, fixes: [] };
}

describe('what a run about leftovers holds against the doctor', () => {
  it('wants every process found, with its class and its session', () => {
    const wanted = { class: 'ours-orphaned', session: 'k' };
    expect(expectClass(diagnosis(orphan), [SHELL], wanted)).toEqual([orphan]);
    expect(() => expectClass(diagnosis(orphan), [SHELL, SLEEP], wanted)).toThrow('the doctor does not know');
    expect(() => expectClass(diagnosis(orphan), [SHELL], { class: 'foreign' })).toThrow(
      'ours-orphaned, not foreign',
    );
    expect(() => expectClass(diagnosis(orphan), [SHELL], { ...wanted, session: 'other' })).toThrow(
      'of session k',
    );
  });

  it('wants exactly the leftovers offered to be ended', () => {
    expect(() => expectFixable(diagnosis(orphan), [SHELL])).not.toThrow();
    expect(() => expectFixable(diagnosis(orphan), [SHELL, SLEEP])).toThrow(
      `left are ${SHELL.pid}, ${SLEEP.pid}`,
    );
    expect(() => expectFixable(diagnosis(orphan), [])).toThrow('left are none');
    expect(() => expectFixable(diagnosis({ ...orphan, fixable: false }), [])).not.toThrow();
  });

  it('wants a neighbour to belong to its own session', () => {
    const living = { ...orphan, class: 'belongs-to-a-live-session', fixable: false };
    expect(() => expectOnlyLiving(diagnosis(living), [SHELL, SLEEP], 'k')).not.toThrow();
    expect(() => expectOnlyLiving(diagnosis(living), [SHELL], 'other')).toThrow('of session k');
    expect(() => expectOnlyLiving(diagnosis(orphan), [SHELL], 'k')).toThrow('ours-orphaned');
    expect(() => expectOnlyLiving(diagnosis(living), [SLEEP], 'k')).toThrow('knows no process');
  });

  it('notices what has been ended, by its start time too', () => {
    const own = identityOf(process.pid) ?? SHELL;
    expect(() => expectRunning([own])).not.toThrow();
    expect(() => expectRunning([own, SLEEP])).toThrow(`pid ${SLEEP.pid} has been ended`);
    expect(() => expectRunning([{ ...own, startTicks: '1' }])).toThrow(`pid ${own.pid} has been ended`);
  });

  it('counts programs and what they hold', () => {
    expect(named([orphan, orphan, { ...orphan, text: 'sleep, pid 2: left' }])).toBe('bash ×2, sleep; 3.0 MB');
  });

  it('says on its page what was not as it has to be', () => {
    const steps = [{ name: 'doctor', ms: 1234, seen: 'clean' }];
    const page = leftoversPage(
      [
        { title: 'claude, killed', steps, failure: null },
        { title: 'codex, killed', steps, failure: 'it left no tool behind' },
      ],
      'a machine',
    );
    expect(page).toContain('| doctor | 1.2 s | clean |');
    expect(page).toContain('## claude, killed');
    expect(page.match(/All of it was as it has to be\./g)).toHaveLength(1);
    expect(page).toContain('Not as it has to be: it left no tool behind');
  });
});
