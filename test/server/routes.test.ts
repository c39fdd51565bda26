import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { responseSchemas } from '../../src/contract/http/openapi.ts';
import { problemDocumentSchema } from '../../src/contract/http/response-schemas.ts';
import type { RouteName } from '../../src/contract/http/routes.ts';
import { until } from '../support/until.ts';
import { ServerRoom } from './server-room.ts';

const room = new ServerRoom();
let build = '';
let other = '';

beforeAll(async () => {
  await room.agent('build', 'leaves');
  await room.tmux.session('other');
  await room.open();
  build = await room.key('build');
  other = await room.key('other');
});
afterAll(() => room.shut());

/** The document of a route, which is exactly what its schema says. */
async function got(route: RouteName, path: string, body?: object) {
  const answered = await room.ask({ path, ...(body && { method: 'POST', body }) });
  expect(answered.text).not.toBe('');
  expect([answered.status, answered.json?.detail]).toEqual([200, undefined]);
  const schema = responseSchemas[route]?.[1] as v.GenericSchema;
  expect(v.parse(schema, answered.json)).toEqual(answered.json);
  return answered.json;
}

async function refused(path: string, status: number, body?: object | string, headers = {}) {
  const asked = { path, headers, ...(body !== undefined && { method: 'POST', body }) };
  const answered = await room.ask(asked);
  expect([answered.status, answered.headers['content-type']]).toEqual([status, 'application/problem+json']);
  expect(v.parse(v.strictObject(problemDocumentSchema.entries), answered.json)).toEqual(answered.json);
  return answered;
}

describe('looking', () => {
  it('gives the roll of the last round, and part of it', async () => {
    const names = (roll: { sessions: { name: string }[] }) => roll.sessions.map(({ name }) => name).sort();
    expect(names(await got('roll', '/v1/roll'))).toEqual(['build', 'other']);
    expect(names(await got('roll', '/v1/roll?name=other'))).toEqual(['other']);
    expect(names(await got('roll', '/v1/roll?activity=idle,working'))).toEqual(['build']);
    expect(names(await got('roll', '/v1/roll?lifecycle=lost'))).toEqual([]);
    expect((await refused('/v1/roll?activity=lazy', 400)).json.detail).toMatch(
      /^activity has to be a list of .*idle/,
    );
    expect((await refused('/v1/roll?lifecyle=lost', 400)).json.detail).toBe(
      'there is no parameter lifecyle here',
    );
    await refused('/v1/roll?name=a&name=b', 400);
  });

  it('gives one session, and what its verdict is made from', async () => {
    expect((await got('session', `/v1/sessions/${build}`)).name).toBe('build');
    const { session } = await got('explain', `/v1/sessions/${build}/evidence`);
    expect(session.evidence.map(({ kind }: { kind: string }) => kind)).toContain('agent');
    expect((await refused('/v1/sessions/none.such', 404)).json.code).toBe('not-found');
    expect((await refused('/v1/sessions/none.such/evidence', 404)).json.code).toBe('not-found');
  });

  it('gives pressure, reaper and status', async () => {
    expect((await got('pressure', '/v1/pressure')).tier).toBe(room.desk.round()?.pressure.tier);
    const reaper = await got('reaper', '/v1/reaper');
    expect([reaper.mode, reaper.wanted, reaper.breaker.code]).toEqual(['shadow', 'enforce', 'close-failed']);
    expect(reaper.sessions[0].guard.code).toBe('not-under-pressure');
    // A round may end between the two.
    const { daemon, sessions } = await until(
      'both tell of one round',
      () => got('status', '/v1/status'),
      ({ supervision }) => supervision.rounds === room.desk.round()?.number,
    );
    expect(sessions.count).toBe(2);
    expect(daemon).toMatchObject({
      ...{ running: true, pid: process.pid, url: room.running.url, socket: room.running.socketPath },
      ...{ tokenFile: room.running.tokenFile, since: room.desk.startedAt },
    });
  });

  it('says that it lives, and describes itself', async () => {
    expect(await got('health', '/healthz')).toEqual({ ok: true });
    const { json } = await room.ask({ path: '/openapi.json' });
    expect(json.openapi).toBe('3.1.0');
    expect(Object.keys(json.paths)).toContain('/v1/sessions/{session}/close');
  });

  it('answers HEAD without a body, other methods with what is allowed, and nothing elsewhere', async () => {
    const head = await room.ask({ method: 'HEAD', path: '/v1/roll' });
    expect([head.status, head.text]).toEqual([200, '']);
    const wrong = await room.ask({ method: 'DELETE', path: '/v1/roll' });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await room.ask({ path: `/v1/sessions/${build}/hold` })).headers.allow).toBe('POST');
    expect((await room.ask({ method: 'OPTIONS', path: '/v1/roll' })).status).toBe(405);
    await refused('/v2/roll', 404);
  });

  it('lets no answer be kept, framed, sniffed or read by other sites', async () => {
    for (const path of ['/v1/roll', '/nowhere', '/healthz', '/metrics']) {
      const { headers } = await room.ask({ path });
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      expect(Object.keys(headers).filter((name) => /access-control|set-cookie/.test(name))).toEqual([]);
    }
  });
});

describe('declaring', () => {
  it('holds and lets go, and says where there was nothing to do', async () => {
    const at = (action: string) => `/v1/sessions/${other}/${action}`;
    const held = await got('hold', at('hold'), { reason: 'reading' });
    expect([held.result, held.name]).toEqual(['held', 'other']);
    expect(held.protections.map(({ code }: { code: string }) => code)).toContain('held');
    expect((await got('hold', at('hold'), { reason: 'reading' })).result).toBe('already-held');
    expect((await got('unhold', at('unhold'), {})).result).toBe('unheld');
    expect((await got('unhold', at('unhold'), {})).result).toBe('not-held');
  });

  it('retains for a time, until one, and no longer', async () => {
    const path = `/v1/sessions/${other}/retain`;
    const until_ = Date.now() + 3_600_000;
    expect((await got('retain', path, { until: until_ })).retainedUntil).toBe(until_);
    expect((await got('retain', path, { until: until_ })).result).toBe('already-retained');
    expect((await got('retain', path, { forMs: 60_000 })).result).toBe('retained');
    expect((await got('retain', path, { release: true })).result).toBe('released');
    await refused(path, 400, {});
    await refused(path, 400, { forMs: 1, until: until_ });
    await refused(path, 400, { release: true, reason: 'x' });
    await refused(path, 400, { until: Date.now() - 1 });
    await refused(path, 400, { until: Date.now() + 4000 * 86_400_000 });
  });

  it('completes and takes it back', async () => {
    const path = `/v1/sessions/${other}/complete`;
    expect((await got('complete', path, { evidence: ['all tests pass'] })).result).toBe('completed');
    expect((await got('complete', path, { evidence: ['all tests pass'] })).result).toBe('already-completed');
    expect((await got('complete', path, { cancel: true })).result).toBe('cancelled');
    expect((await got('complete', path, { cancel: true })).result).toBe('not-completed');
    await refused(path, 400, { cancel: true, task: 'X' });
  });

  it('refuses bodies that are not what they should be', async () => {
    const path = `/v1/sessions/${other}/hold`;
    expect((await refused(path, 400, { raeson: 'x' })).json.hint).toBe('it takes servers, reason');
    expect((await refused(path, 400, { reason: 7 })).json.detail).toContain('a text');
    await refused(path, 400, '{"reason":');
    await refused(path, 400, '[]');
    await refused(path, 400, '{"__proto__":{"reason":"x"}}');
    await refused(path, 415, 'reason=x', { 'Content-Type': 'application/x-www-form-urlencoded' });
    await refused(path, 415, '{}', { 'Content-Type': 'text/plain' });
    await refused(path, 413, JSON.stringify({ reason: 'x'.repeat(70_000) }));
    await refused('/v1/sessions/none.such/hold', 404, {});
  });

  it('records what it did under the hand of the daemon’s user, and pages through it', async () => {
    const { entries } = await got('log', '/v1/ledger');
    expect(entries[0].sequence).toBe(1);
    const all = entries.map(({ sequence }: { sequence: number }) => sequence);
    const first = await got('log', '/v1/ledger?after=0&limit=2');
    expect([first.entries.length, first.next]).toEqual([2, 2]);
    const rest = await got('log', `/v1/ledger?after=${first.next}&limit=500`);
    const read = [...first.entries, ...rest.entries].map(({ sequence }) => sequence);
    expect([read, rest.next]).toEqual([all, null]);
    expect((await got('log', `/v1/ledger?since=${Date.now() + 1000}`)).entries).toEqual([]);
    expect((await got('log', '/v1/ledger?since=1h')).entries.length).toBe(all.length);
    await refused('/v1/ledger?limit=0', 400);
    await refused('/v1/ledger?after=-1', 400);
    await refused('/v1/ledger?since=yesterday', 400);
  });
});

describe('a session is named', () => {
  const held = async (word: string, body = {}) =>
    (await got('hold', `/v1/sessions/${encodeURIComponent(word)}/hold`, { reason: 'by any name', ...body }))
      .name;

  it('as on the command line: by its name, $id, %pane or key, also on a server that is named', async () => {
    const { sessionId, server, panes } = await got('session', '/v1/sessions/other');
    const words = ['other', sessionId, panes[0].paneId, other, `${server.label}:other`];
    for (const word of [...words, `${room.tmux.socketPath}:${sessionId}`])
      expect(await held(word)).toBe('other');
    expect(await held('other', { servers: [room.tmux.socketPath] })).toBe('other');
    expect((await refused('/v1/sessions/other/hold', 404, { servers: ['elsewhere'] })).json.detail).toContain(
      "no tmux server 'elsewhere' runs",
    );
    expect((await got('explain', '/v1/sessions/other/evidence')).session.key).toBe(other);
    expect((await got('unhold', '/v1/sessions/other/unhold', {})).result).toBe('unheld');
  });

  it('never by a beginning, and where two are meant none is chosen', async () => {
    const near = await refused('/v1/sessions/othe/hold', 404, {});
    expect(near.json).toMatchObject({ code: 'not-found', hint: "did you mean 'other'?" });
    expect(near.json.candidates.map(({ key }: { key: string }) => key)).toEqual([other]);
    const { paneId } = await room.tmux.session('linked');
    await room.tmux.tmux('link-window', '-s', 'linked:', '-t', 'other:');
    const word = encodeURIComponent(paneId);
    const several = await refused(`/v1/sessions/${word}/hold`, 409, {});
    expect([several.json.code, several.json.candidates.length]).toEqual(['ambiguous', 2]);
    await room.tmux.tmux('kill-session', '-t', '=linked');
    await room.tmux.tmux('unlink-window', '-k', '-t', `${paneId}`);
  });

  it('where something is said of it that only a command could say before', async () => {
    const adopted = await got('adopt', '/v1/sessions/other/adopt', { task: 'T-7' });
    expect([adopted.result, adopted.task]).toEqual(['adopted', 'T-7']);
    expect((await got('adopt', '/v1/sessions/other/adopt', { task: 'T-7' })).result).toBe('already-adopted');
    expect((await got('adopt', '/v1/sessions/other/adopt', { pr: '34' })).result).toBe('claimed');
  });
});

describe('an Idempotency-Key', () => {
  const hold = (key: string, reason: string) =>
    room.ask({
      ...{ method: 'POST', path: `/v1/sessions/${other}/hold`, body: { reason } },
      headers: { 'Idempotency-Key': key },
    });

  it('does the same once, also at the same time, and refuses another body', async () => {
    const before = room.desk.ledger.read().entries.length;
    const answers = await Promise.all([hold('k1', 'one'), hold('k1', 'one'), hold('k1', 'one')]);
    expect(answers.map(({ json }) => json.result)).toEqual(['held', 'held', 'held']);
    const replayed = answers.map(({ headers }) => headers['idempotency-replayed']);
    expect(replayed.filter((one) => one === 'true')).toHaveLength(2);
    expect((await hold('k1', 'one')).json.result).toBe('held');
    expect(room.desk.ledger.read().entries.length).toBe(before + 1);
    const other = await hold('k1', 'two');
    expect([other.status, other.json.code]).toEqual([422, 'key-reused']);
    expect((await hold('k2', 'one')).json.result).toBe('already-held');
    expect((await hold('a b', 'one')).status).toBe(400);
  });
});

describe('closing and reopening', () => {
  it('says what it would do, what stands against it, closes, and puts it back', async () => {
    const path = `/v1/sessions/${build}/close`;
    const plan = await got('close', path, { dryRun: true });
    expect([plan.isDryRun, plan.sessions[0].result]).toEqual([true, 'would-close']);
    // A program that acts on nobody's word gets what a schedule would get, and nothing of a person's.
    const strict = await refused(path, 409, { automatic: true });
    expect(strict.json.report.protections).toMatchObject([{ code: 'not-managed' }]);
    for (const more of [{ force: true }, { despite: ['held'] }]) {
      expect((await refused(path, 400, { automatic: true, ...more })).json.code).toBe('usage');
    }
    await got('hold', `/v1/sessions/${build}/hold`, {});
    const no = await refused(path, 409, {});
    expect([no.json.code, no.json.report.protections[0].code]).toEqual(['refused', 'held']);
    expect(await room.names()).toContain('build');
    const closed = await got('close', path, { despite: ['held'], reason: 'done with it' });
    expect(closed.sessions[0]).toMatchObject({ result: 'closed', receipt: { reason: 'done with it' } });
    expect(await room.names()).not.toContain('build');
    const { receipt } = closed.sessions[0].receipt;
    const server = room.tmux.socketPath;
    const again = await got('reopen', `/v1/receipts/${receipt}/reopen`, { server, name: 'again' });
    expect([again.name, again.reopens]).toEqual(['again', build]);
    expect(await room.names()).toContain('again');
    expect((await refused(`/v1/receipts/${receipt}/reopen`, 409, { server })).json.code).toBe('refused');
    expect((await refused('/v1/receipts/r0/reopen', 404, {})).json.code).toBe('not-found');
  });
});

describe('metrics', () => {
  it('tells sessions, rounds, transitions, ledger, requests and the process in the text format', async () => {
    await until('the close was seen', async () => {
      const { text } = await room.ask({ path: '/metrics' });
      return text.includes('rollcall_transitions_total{from="');
    });
    const { text, headers } = await room.ask({ path: '/metrics' });
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [-+\d.eInf]+)$/,
      );
    }
    expect(text).toMatch(/^rollcall_sessions\{activity="none",lifecycle="\w+"\} 1$/m);
    expect(text).toMatch(/^rollcall_round_seconds_bucket\{le="\+Inf"\} [1-9]/m);
    expect(text).toMatch(/^rollcall_rounds_total\{wake="asked"\} [1-9]/m);
    expect(text).toMatch(/^rollcall_ledger_entries [1-9]/m);
    expect(text).toMatch(/^rollcall_http_requests_total\{route="hold",method="POST",status="400"\} [1-9]/m);
    expect(text).toMatch(/^rollcall_pressure_tier\{tier="normal"\} [01]$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
    expect(text).toContain(`rollcall_build_info{version="0.0.0",node="${process.version}"} 1`);
    const names = text.split('\n').flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('at the end', () => {
  it('a daemon that is stopping says so, and does nothing any more', async () => {
    await room.daemon?.stop();
    const { json } = await refused(`/v1/sessions/${other}/hold`, 503, { reason: 'late' });
    expect(json.code).toBe('stopping');
  });
});
