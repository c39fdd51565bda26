import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { responseSchemas } from '../../src/contract/http/openapi.ts';
import { problemDocumentSchema } from '../../src/contract/http/response-schemas.ts';
import type { RouteName } from '../../src/contract/http/routes.ts';
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
async function got(route: RouteName, path: string, body: object) {
  const { status, json } = await room.ask({ method: 'POST', path, body });
  expect([status, json?.detail]).toEqual([200, undefined]);
  const schema = responseSchemas[route]?.[1] as v.GenericSchema;
  expect(v.parse(schema, json)).toEqual(json);
  return json;
}

async function refused(path: string, status: number, body: object) {
  const answered = await room.ask({ method: 'POST', path, body });
  expect([answered.status, answered.headers['content-type']]).toEqual([status, 'application/problem+json']);
  expect(v.parse(v.strictObject(problemDocumentSchema.entries), answered.json)).toEqual(answered.json);
  return answered;
}

it('an agent is put to sleep and woken in its pane, and whatever stands against it is said', async () => {
  const at = (action: string, key = build) => `/v1/sessions/${key}/${action}`;
  const plan = await got('hibernate', at('hibernate'), { dryRun: true });
  expect([plan.isDryRun, plan.sessions[0].result]).toEqual([true, 'would-sleep']);
  expect((await got('wake', at('wake'), {})).result).toBe('awake');
  const strict = await refused(at('hibernate'), 409, { automatic: true });
  expect(strict.json.report.protections).toMatchObject([{ code: 'not-managed' }]);
  expect((await refused(at('hibernate'), 400, { force: true })).json.hint).not.toContain('force');
  await refused(at('hibernate'), 400, { automatic: true, despite: ['held'] });
  const none = await refused(at('hibernate', other), 409, {});
  expect([none.json.code, none.json.report.result]).toEqual(['refused', 'refused']);
  const { sessions } = await got('hibernate', at('hibernate'), { reason: 'lunch' });
  const { receipt } = sessions[0].receipt;
  expect(sessions[0]).toMatchObject({ result: 'asleep', receipt: { result: 'asleep', reason: 'lunch' } });
  expect((await got('hibernate', at('hibernate'), {})).sessions[0].result).toBe('already-asleep');
  expect(await room.names()).toContain('build');
  const woken = await got('wake', at('wake'), {});
  expect(woken).toMatchObject({ result: 'woken', key: build, receipt, conversation: 'talk-build' });
  await refused(at('wake'), 400, { force: true });
  expect((await refused('/v1/sessions/none.such/wake', 404, {})).json.code).toBe('not-found');
  expect((await refused('/v1/sessions/none.such/hibernate', 404, {})).json.code).toBe('not-found');
});
