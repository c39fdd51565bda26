import { describe, expect, it } from 'vitest';
import { leakedVariables } from '../../../../src/core/doctor/checks/machine-leaked-variables.ts';
import { loginScope } from '../../../../src/core/doctor/checks/machine-login-scope.ts';
import { tmuxOptions } from '../../../../src/core/doctor/checks/machine-tmux-options.ts';
import { tmuxVersion } from '../../../../src/core/doctor/checks/machine-tmux-version.ts';
import type { LoginSighting, ServerSettings } from '../../../../src/core/doctor/sightings.ts';
import { client, people } from '../../../support/evidence.ts';
import { classes, doctorFacts, entry, found, SERVER } from './doctor-facts.ts';

const AT = { socketPath: SERVER.socketPath, pid: 42 };
const failed: ServerSettings = { state: 'failed', ...AT, text: 'tmux did not answer in time' };

describe('tmux-version', () => {
  const on = (version: string, clients = [client()]) =>
    doctorFacts({
      servers: [{ ...SERVER, version }],
      sessions: [
        entry({ evidence: [people({ clients })] }),
        entry({ key: 'x', server: { ...SERVER, socketPath: '/elsewhere', version } }),
      ],
    });

  it.each([
    ['3.3a', ['control-mode-crash', 'lost-exit-status']],
    ['3.5a', ['control-mode-crash', 'lost-exit-status']],
    ['3.6', ['control-mode-crash']],
    ['3.7c', ['control-mode-crash']],
    ['2.9a', ['too-old', 'control-mode-crash', 'lost-exit-status']],
    ['3.8', []],
    ['next-3.8', []],
    ['3.10', []],
    ['4.0-rc1', []],
    ['master', ['version-unknown']],
    ['openbsd-7.4', ['version-unknown']],
  ])('knows the faults of %s', (version, faults) => {
    expect(classes(tmuxVersion, on(version))).toEqual(faults);
  });

  it('warns of a crash only while a control-mode client is attached', () => {
    const control = client({ isControl: true });
    expect(found(tmuxVersion, on('3.7'))[0]?.severity).toBe('info');
    expect(found(tmuxVersion, on('3.7', [control, control]))[0]).toMatchObject({
      severity: 'warning',
      text: expect.stringContaining('1 attached now'),
    });
  });
});

describe('tmux-options', () => {
  const on = (settings: ServerSettings) =>
    doctorFacts({ machine: { settings: [settings] }, sessions: [entry()] });
  const read = (options: Record<string, string>, destroyed: { sessionId: string; value: string }[] = []) =>
    on({ state: 'read', ...AT, options, destroyed, leaked: [] });

  it('finds exit-unattached and destroy-unattached', () => {
    const all = { 'exit-unattached': 'on', 'destroy-unattached': 'keep-last' };
    const findings = found(tmuxOptions, read(all, [{ sessionId: '$1', value: 'keep-last' }]));
    expect(findings.map((one) => [one.class, one.severity, one.remedy])).toEqual([
      ['exit-unattached', 'error', null],
      ['destroy-unattached', 'error', null],
    ]);
    expect(findings[0]?.advice[0]).toBe("tmux -S '/tmp/tmux-0/main' set-option -s exit-unattached off");
  });

  it('finds single sessions that are destroyed, by name where the roll has them', () => {
    const destroyed = ['$1', '$9'].map((sessionId) => ({ sessionId, value: 'on' }));
    expect(found(tmuxOptions, read({ 'destroy-unattached': 'off' }, destroyed))).toMatchObject([
      { text: expect.stringContaining('build (main) is destroyed'), session: entry().key },
      { text: expect.stringContaining('$9 (main) is destroyed') },
    ]);
  });

  it('finds nothing where they are off, or not known to this tmux', () => {
    expect(classes(tmuxOptions, read({ 'exit-unattached': 'off', 'destroy-unattached': 'off' }))).toEqual([]);
    expect(classes(tmuxOptions, read({}))).toEqual([]);
  });

  it('says where a server did not tell', () => {
    expect(classes(tmuxOptions, on(failed))).toEqual(['not-read']);
  });

  it('S55: quotes the path of a socket for a shell', () => {
    const settings = { ...failed, socketPath: "/tmp/it's" };
    expect(found(tmuxOptions, on(settings))[0]?.advice[0]).toContain("tmux -S '/tmp/it'\\''s' ");
  });
});

describe('leaked-variables', () => {
  const on = (leaked: string[] | null) =>
    doctorFacts({ machine: { settings: [{ state: 'read', ...AT, options: {}, destroyed: [], leaked }] } });

  it('finds marks of an agent in a global environment', () => {
    const [finding] = found(leakedVariables, on(['CLAUDECODE', 'CLAUDE_PID']));
    expect(finding).toMatchObject({ class: 'leaked', severity: 'warning', remedy: null });
    expect(finding?.advice[1]).toBe("tmux -S '/tmp/tmux-0/main' set-environment -gu CLAUDE_PID");
  });

  it('finds nothing in a clean one', () => {
    expect(classes(leakedVariables, on([]))).toEqual([]);
  });

  it('says where it could not be read', () => {
    expect(classes(leakedVariables, on(null))).toEqual(['not-read']);
    expect(classes(leakedVariables, doctorFacts({ machine: { settings: [failed] } }))).toEqual(['not-read']);
  });
});

describe('login-scope', () => {
  const on = (over: Partial<LoginSighting>, kind: 'login' | 'user' | 'elsewhere' | null = 'login') =>
    doctorFacts({
      machine: {
        login: {
          servers: [{ ...AT, kind, unit: 'session-3.scope' }],
          ...{ endsAtLogout: null, source: null, lingers: null, user: 'me' },
          ...over,
        },
      },
    });

  it('S47: finds a server that ends at logout', () => {
    expect(
      found(loginScope, on({ endsAtLogout: true, source: 'yes in /etc/systemd/logind.conf' }))[0],
    ).toMatchObject({
      ...{ class: 'ends-at-logout', severity: 'error', remedy: null, pid: 42 },
      evidence: ['pid 42 stands in session-3.scope', 'KillUserProcesses: yes in /etc/systemd/logind.conf'],
    });
  });

  it('finds one of which nobody says whether it does', () => {
    expect(found(loginScope, on({}))[0]).toMatchObject({ class: 'may-end-at-logout', severity: 'info' });
  });

  it('finds one that ends with the user’s manager', () => {
    expect(found(loginScope, on({ lingers: false }, 'user'))[0]).toMatchObject({
      ...{ class: 'ends-with-last-login', severity: 'warning' },
      advice: ['keep the user’s manager after logout: loginctl enable-linger me'],
    });
  });

  it.each<[string, ReturnType<typeof on>]>([
    ['a login that leaves its processes alone', on({ endsAtLogout: false })],
    ['a manager that lingers', on({ lingers: true }, 'user')],
    ['a manager of which nobody can tell', on({ lingers: null }, 'user')],
    ['a server outside of both', on({ endsAtLogout: true, lingers: false }, 'elsewhere')],
    ['a server whose cgroup cannot be read', on({ endsAtLogout: true, lingers: false }, null)],
  ])('finds nothing in %s', (_title, facts) => {
    expect(classes(loginScope, facts)).toEqual([]);
  });
});
