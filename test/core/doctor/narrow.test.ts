import { describe, expect, it } from 'vitest';
import { type DoctorCheck, reportOf } from '../../../src/core/doctor/checks/check.ts';
import { type Finding, isBlind } from '../../../src/core/doctor/finding.ts';
import { isAbout, problemsOn } from '../../../src/core/doctor/narrow.ts';
import { isServerNamed, serverWord } from '../../../src/core/sight/server-named.ts';
import { silentServers } from '../../../src/core/sight/silent-servers.ts';
import { doctorFacts, entry, keyOf, SERVER } from './checks/doctor-facts.ts';
import { careOf } from './process-facts.ts';

const { socketPath } = SERVER;
const OTHER = '/tmp/tmux-0/other';
const finding = (over: Partial<Finding> = {}): Finding => ({
  ...{ class: 'odd', severity: 'info', text: 'it is odd', evidence: [], remedy: null, advice: [] },
  ...over,
});
const check = (findings: readonly Finding[], scope: DoctorCheck['scope'] = 'server'): DoctorCheck => ({
  ...{ name: 'odd', group: 'sessions', looksAt: 'odd things', scope, examine: () => findings },
});
const silent = (path?: string) => ({
  ...{ code: 'server-timeout', text: 'tmux did not answer in time' },
  ...(path !== undefined && { socketPath: path }),
});

describe('10: what belongs to a server', () => {
  it('is named by its label or its socket', () => {
    expect(isServerNamed(socketPath, ['main'])).toBe(true);
    expect(isServerNamed(socketPath, ['x', socketPath])).toBe(true);
    expect(isServerNamed(socketPath, ['/elsewhere/main', 'mai'])).toBe(false);
    // `tmux -S /home/me/main` has no label, whatever its socket is called.
    expect(isServerNamed('/home/me/main', ['main'])).toBe(false);
    expect(isServerNamed('/home/me/main', ['/home/me/main'])).toBe(true);
    expect(['/home/me/main', socketPath, 'main'].map(serverWord)).toEqual(['/home/me/main', 'main', 'main']);
  });

  it('is told by the finding, by its session on the roll, or by the ledger', () => {
    const about = (over: Partial<Finding>, facts = doctorFacts()) => isAbout(finding(over), facts, ['main']);
    expect(about({ sockets: [OTHER, socketPath] })).toBe(true);
    expect(about({ sockets: [OTHER], session: keyOf(1) }, doctorFacts({ sessions: [entry()] }))).toBe(false);
    expect(about({ session: keyOf(1) }, doctorFacts({ sessions: [entry()] }))).toBe(true);
    expect(about({ session: keyOf(1) }, doctorFacts({ ledger: [careOf()] }))).toBe(true);
    expect(about({ session: keyOf(1) })).toBe(false);
    expect(about({ session: keyOf(1) }, doctorFacts({ ledger: { failed: 'gone' } }))).toBe(false);
    expect(about({})).toBe(false);
  });

  it('is all that is reported where a server is named; a check of the machine is not narrowed', () => {
    const both = [finding({ sockets: [socketPath] }), finding({ sockets: [OTHER], severity: 'error' })];
    const report = (scope: DoctorCheck['scope'], ...servers: string[]) =>
      reportOf(check(both, scope), doctorFacts(), servers);
    expect(report('server', 'main')).toMatchObject({ severity: 'info', findings: [both[0]] });
    expect(report('server').findings).toEqual(both);
    expect(report('machine', 'main').findings).toEqual(both);
  });

  it('has its own problems', () => {
    const all = [silent(OTHER), silent(socketPath), silent()];
    expect(problemsOn(all, [])).toEqual(all);
    expect(problemsOn(all, ['main'])).toEqual([silent(socketPath), silent()]);
  });
});

describe('10: a check that could not look', () => {
  const report = (problems: Parameters<typeof doctorFacts>[0], ...servers: string[]) =>
    reportOf(check([]), doctorFacts(problems), servers);

  it('is a warning where a server gave no answer, unless another one was asked about', () => {
    const problems = [silent(OTHER), silent(), { code: 'hooks-unheard', text: 'x', socketPath }];
    const text = 'the tmux server other: tmux did not answer in time';
    expect(report({ problems })).toMatchObject({ severity: 'warning', problem: null, unseen: [text] });
    expect(report({ problems }, 'other').unseen).toEqual([text]);
    expect(report({ problems }, 'main')).toMatchObject({ severity: 'ok', unseen: [] });
    const { roll } = doctorFacts({ problems: [...problems, silent(OTHER)] });
    expect(silentServers(roll)).toEqual([OTHER]);
  });

  it('is a warning where there is no tmux, whatever was asked about', () => {
    const problems = [{ code: 'tmux-missing', text: 'tmux is not installed' }];
    expect(report({ problems }, 'main')).toMatchObject({
      ...{ severity: 'warning', unseen: ['no tmux server was asked: tmux is not installed'] },
    });
    expect(reportOf(check([], 'machine'), doctorFacts({ problems })).severity).toBe('ok');
  });

  it('is a warning where a finding says so, and keeps what is worse', () => {
    const unseen = finding({ isUnseen: true, text: 'git is missing' });
    const seen = reportOf(check([unseen, finding({ severity: 'error' })]), doctorFacts());
    expect(seen).toMatchObject({ severity: 'error', unseen: ['git is missing'] });
    expect(reportOf(check([unseen]), doctorFacts()).severity).toBe('warning');
  });

  it('is blind, and no other is', () => {
    expect(isBlind({ problem: null, unseen: [] })).toBe(false);
    expect(isBlind({ problem: 'x', unseen: [] })).toBe(true);
    expect(isBlind({ problem: null, unseen: ['x'] })).toBe(true);
  });
});
