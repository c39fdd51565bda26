import { Readable } from 'node:stream';
import { OPERATION_NAMES, restOf } from '../../../src/contract/operations.ts';
import { readFields, readQuery } from '../../../src/schema/read.ts';
import { readJson } from '../../../src/server/http/body.ts';
import { checkHeaders, checkPlace, checkQuery, checkToken } from '../../../src/server/http/gate.ts';
import { HttpProblem, toProblemDocument } from '../../../src/server/http/problem.ts';
import { checkParameters, routeOf, targetOf } from '../../../src/server/http/target.ts';
import { samples } from '../corpus.ts';
import { type Target, target } from '../target.ts';

const TOKEN = {
  file: '/t',
  is: (given: string) => given === SECRET,
  isIn: (text: string) => text.includes(SECRET),
};
const SECRET = 'correct-token';
const isProblem = (error: unknown): boolean => error instanceof HttpProblem;

/** A problem as it is sent, or null. */
function answered<T>(work: () => T): T | { readonly problem: unknown } {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { problem: toProblemDocument(error) };
  }
}

function passed(check: () => void) {
  return answered(() => {
    check();
    return 'passed' as const;
  });
}

function headersIn(text: string): {
  rawHeaders: string[];
  headers: Record<string, string>;
  httpVersion: string;
} {
  const rawHeaders: string[] = [];
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').slice(0, 200)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    rawHeaders.push(name, value);
    // As Node has them: an object without a prototype of its own names.
    Object.defineProperty(headers, name.toLowerCase(), { value, enumerable: true, configurable: true });
  }
  return { rawHeaders, headers, httpVersion: '1.1' };
}

export const HTTP_TARGETS: readonly Target[] = [
  target({
    name: 'http-address',
    covers: [
      ...['targetOf', 'routeOf', 'checkParameters'].map((name) => `server/http/target.ts#${name}`),
      'server/http/gate.ts#checkQuery',
      'schema/read.ts#readQuery',
    ],
    seeds: samples(
      '/v1/sessions/work?fresh=true',
      '/v1/roll?state=idle,working',
      '/v1/log?since=5&limit=10',
      '/healthz',
      '/v1/sessions/a%2fb/explain',
    ),
    words: ['?', '&', '%zz', '%00', '..', '/v1/', 'token=x', '__proto__=1', 'limit=-1', '%f0%9f'],
    parse(input) {
      const url = input.toString('latin1');
      return answered(() => {
        const found = targetOf(url, 8192);
        const { name, words, route } = routeOf(found, 'GET');
        checkQuery(found.query, TOKEN);
        checkParameters(found.query, route.query);
        return { name, words, read: OPERATION_NAMES.map((one) => readQuery(restOf(one), found.query).state) };
      });
    },
  }),
  target({
    name: 'http-headers',
    covers: ['checkHeaders', 'checkPlace', 'checkToken'].map((name) => `server/http/gate.ts#${name}`),
    seeds: samples(
      `Host: 127.0.0.1:8080\nAuthorization: Bearer ${SECRET}\nAccept: */*\n`,
      'Host: localhost\nOrigin: http://evil\nSec-Fetch-Site: cross-site\n',
    ),
    words: [
      'Host: x\n',
      'host: y\n',
      'Origin: null\n',
      'Authorization: Bearer x\n',
      'authorization: bearer correct-token\n',
    ],
    parse(input) {
      const request = headersIn(input.toString('latin1')) as never;
      const hosts = new Set(['127.0.0.1:8080']);
      return [
        passed(() => checkHeaders(request)),
        passed(() => checkPlace(request, 'port', hosts)),
        passed(() => checkToken(request, TOKEN)),
      ];
    },
    // Only the token itself opens.
    objection: (input, [, , token]) =>
      token === 'passed' && !input.toString('latin1').includes(SECRET)
        ? 'lets somebody in without the token'
        : null,
  }),
  target({
    name: 'http-body',
    covers: ['server/http/body.ts#readJson', 'schema/read.ts#readFields'],
    seeds: samples(
      '{"session":"work","reason":"done"}',
      '{"argv":["sh"],"env":{"A":"b"}}',
      '{}',
      '{"force":true,"for":"1h"}',
    ),
    words: ['"__proto__":{"x":1}', '1e999', '[[[[', '"session":', '\\ud800', '\u0000'],
    async parse(input) {
      const request = Object.assign(Readable.from(input.length === 0 ? [] : [input]), {
        headers: { 'content-type': 'application/json', 'content-length': String(input.length) },
      });
      const value = await readJson(request as never, {} as never, 64 * 1024);
      return OPERATION_NAMES.map((name) => {
        const read = readFields(restOf(name), value);
        return read.state === 'read' ? 'read' : read;
      });
    },
    isDeclared: isProblem,
    objection: (_, all) =>
      all.some((one) => typeof one !== 'string' && one.text.length > 2000)
        ? 'repeats what it was sent'
        : null,
  }),
];
