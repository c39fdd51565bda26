import { describe, expect, it } from 'vitest';
import type { ResumeOf } from '../../../src/core/agent/resumption.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { type Reopening, reopeningOf } from '../../../src/core/close/reopening.ts';
import { canSleep, sleepArchive } from '../../../src/core/sleep/sleep-document.ts';

const kept: Reopening = {
  ...{ key: 'k-1', name: 'worker', socketPath: '/tmp/s', cwd: '/project', path: '/bin' },
  argv: ['/opt/claude', '--resume', 'c-1', '--model', 'sonnet'],
  ...{ env: { HOME: '/home/me', TOKEN: 'x' }, given: { TOKEN: 'x' }, isClean: true, remain: true },
  agent: { kind: 'claude', conversation: 'c-1' },
  ...{ windows: [], size: null, folders: ['/project'], missing: [] },
};

const about = { id: 'r-1', at: 7, resume: ['claude', '--resume', 'c-1'] };

describe('an agent that is made again asleep', () => {
  it('is archived so that it wakes as it was, where only its start is known', () => {
    const { document, start } = sleepArchive(kept, about);
    expect(document).toMatchObject({
      id: 'r-1',
      at: 7,
      agent: { kind: 'claude', conversation: 'c-1', pid: null },
    });
    expect(start).toEqual({
      paneId: '%0',
      start: {
        ...{ run: 'r-1', program: '/opt/claude', argv: kept.argv, cwd: '/project', env: { TOKEN: 'x' } },
        ...{ isClean: true, remain: true },
      },
    });
    // The ledger has this; what it was started with may be secret.
    expect(document.panes).toMatchObject([{ agent: { resume: about.resume } }]);
    const resumeOf: ResumeOf = (_kind, _conversation, [as]) => (as ? { argv: as.argv, dropped: [] } : null);
    expect(reopeningOf(document, null, { start, resumeOf })).toMatchObject({
      ...{ key: 'k-1', name: 'worker', argv: kept.argv, cwd: '/project', path: '/bin', agent: kept.agent },
      ...{ given: { TOKEN: 'x' }, isClean: true, remain: true },
    });
  });

  it('with the rest of its session, where that is known', () => {
    const other = { paneId: '%1', cwd: '/logs', agent: null };
    const first = { paneId: '%2', cwd: '/old', agent: { kind: 'claude', conversation: 'c-1' } };
    const document = readKept({
      session: { key: 'k-1', name: 'worker' },
      windows: [{ index: 0 }],
      panes: [other, first],
    });
    const made = sleepArchive({ ...kept, document }, about);
    expect(made.document).toMatchObject({
      windows: [{ index: 0 }],
      panes: [other, { paneId: '%2', cwd: '/project', agent: { resume: about.resume, cwd: '/project' } }],
    });
    expect(made.start.paneId).toBe('%2');
  });

  it('without an agent, nothing sleeps', () => {
    expect(canSleep(kept)).toBe(true);
    expect(canSleep({ ...kept, argv: null })).toBe(false);
    expect(canSleep({ ...kept, agent: null })).toBe(false);
    expect(canSleep({ ...kept, agent: { kind: 'claude', conversation: null } })).toBe(false);
    const { path: _, ...bare } = kept;
    const { document, start } = sleepArchive({ ...bare, agent: null, argv: null }, about);
    expect(document).toMatchObject({ agent: { kind: null, conversation: null } });
    expect(start.start).toMatchObject({ program: null, argv: [] });
    expect(sleepArchive({ ...kept, document: readKept({}) }, about).start.paneId).toBeNull();
  });
});
