import { describe, expect, it } from 'vitest';
import {
  bootOf,
  isOutside,
  processKey,
  serverKey,
  sessionKey,
  whenceOf,
} from '../../../src/core/sight/identity.ts';

const host = { machineId: 'ab12-cd34-ef56', bootId: '0011-2233-4455', name: 'box' };
const server = { socketPath: '/tmp/tmux-0/default', pid: 42, startTicks: 777 };
const session = { server, sessionId: '$3', createdAtSeconds: 1_800_000_000 };

describe('keys', () => {
  it('are one URL-safe word', () => {
    expect(serverKey(host, server)).toBe('ab12cd34.00112233.42.777');
    expect(sessionKey(host, session)).toBe('ab12cd34.00112233.42.777.s3.1800000000');
    expect(processKey({ pid: 42, startTicks: 777 })).toBe('42.777');
  });

  it.each([
    ['another boot', { ...host, bootId: '9911-2233' }, session],
    ['another machine', { ...host, machineId: 'ff12-cd34' }, session],
    ['a server that was restarted', host, { ...session, server: { ...server, startTicks: 778 } }],
    ['a server with another pid', host, { ...session, server: { ...server, pid: 43 } }],
    ['another session', host, { ...session, sessionId: '$4' }],
    ['a session made later under the same id', host, { ...session, createdAtSeconds: 1_800_000_001 }],
  ])('S3: differ for %s', (_, otherHost, otherSession) => {
    expect(sessionKey(otherHost, otherSession)).not.toBe(sessionKey(host, session));
  });

  it('S4: do not depend on names, which anyone may change', () => {
    expect(sessionKey({ ...host, name: 'renamed' }, session)).toBe(sessionKey(host, session));
  });

  it('S35: tell on which boot of which machine they were made', () => {
    const key = sessionKey(host, session);
    expect(bootOf(key, host)).toBe('this');
    expect(bootOf(key, { ...host, bootId: '9911-2233' })).toBe('earlier');
    expect(bootOf(key, { ...host, machineId: 'ff12-cd34' })).toBe('elsewhere');
  });

  it('S35: of sessions that were recorded in another pid namespace tell nothing here', () => {
    const [key, here] = [sessionKey(host, session), { ...host, pidNamespace: '1' }];
    expect(whenceOf({ key, pidNamespace: '1' }, here)).toBe('this');
    expect(whenceOf({ key, pidNamespace: '1' }, { ...here, bootId: '9911-2233' })).toBe('earlier');
    expect(whenceOf({ key, pidNamespace: '2' }, here)).toBe('elsewhere');
    expect(whenceOf({ key, pidNamespace: '2' }, { ...here, bootId: '9911-2233' })).toBe('elsewhere');
    // An earlier version did not say where it was; a system without namespaces has but one.
    expect(whenceOf({ key }, here)).toBe('elsewhere');
    expect(whenceOf({ key }, host)).toBe('this');
  });

  it('S35: tell what is outside of a container, on the system that runs it', () => {
    const [key, outer] = [sessionKey(host, session), '4026531836'];
    const inside = { ...host, pidNamespace: '7' };
    expect(isOutside({ key, pidNamespace: outer }, inside)).toBe(true);
    expect(isOutside({ key, pidNamespace: outer }, { ...inside, machineId: 'ff12-cd34' })).toBe(true);
    expect(isOutside({ key, pidNamespace: outer }, { ...inside, bootId: '9911-2233' })).toBe(false);
    expect(isOutside({ key, pidNamespace: outer }, { ...host, pidNamespace: outer })).toBe(false);
    // Another container, or this one before it was started anew.
    expect(isOutside({ key, pidNamespace: '8' }, inside)).toBe(false);
    expect(isOutside({ key }, inside)).toBe(false);
  });

  it('S6: tell two processes apart that had the same pid', () => {
    expect(processKey({ pid: 42, startTicks: 1 })).not.toBe(processKey({ pid: 42, startTicks: 2 }));
  });
});
