import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body, Field, Fields } from '../../contract/http/fields.ts';
import { badRequest, HttpProblem } from './problem.ts';

/** Whether a request says that something follows its headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads the JSON of a request; without a body it is an empty object. Nothing beyond the limit is read. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<unknown> {
  if (!hasBody(request)) return {};
  const { headers } = request;
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '')) {
    throw new HttpProblem(415, 'not-json', 'the body has to be application/json', { isLast: true });
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new HttpProblem(415, 'encoded', 'the body must not be encoded', { isLast: true });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (headers.expect !== undefined) response.writeContinue();
  return parsed(await bytesOf(request, maxBytes));
}

async function bytesOf(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (problem: HttpProblem) => {
      request.pause();
      request.off('data', take);
      reject(problem);
    };
    const cutOff = () => stop(badRequest('cut-off', 'the body ended too early'));
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) return stop(tooLarge(maxBytes));
      chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', cutOff);
    request.once('close', cutOff);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('not-json', 'the body is no JSON');
  }
}

/** A body with exactly the fields that are known, each of its kind. */
export function readFields<F extends Fields>(value: unknown, fields: F): Body<F> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('body', 'the body has to be an object');
  }
  for (const [name, given] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      const known = Object.keys(fields).join(', ');
      const hint = known === '' ? 'it takes no fields' : `it takes ${known}`;
      throw badRequest('body', `there is no field ${name.slice(0, 60)} here`, hint);
    }
    const wanted = lackOf(given, field);
    if (wanted !== null) throw badRequest('body', `${name} has to be ${wanted}`);
  }
  return value as Body<F>;
}

/** What a value should be and is not; null where it is. */
function lackOf(value: unknown, field: Field): string | null {
  switch (field.kind) {
    case 'text':
      return isText(value, field.max) ? null : `a text of 1 to ${field.max} characters`;
    case 'number': {
      const isInside =
        Number.isSafeInteger(value) && Number(value) >= field.min && Number(value) <= field.max;
      return isInside ? null : `a whole number from ${field.min} to ${field.max}`;
    }
    case 'switch':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'choice':
      return isOneOf(value, field.values) ? null : `one of ${field.values.join(', ')}`;
    case 'texts': {
      const { most, max } = field;
      const isList = Array.isArray(value) && value.length <= most && value.every((one) => isText(one, max));
      return isList ? null : `a list of at most ${most} texts of 1 to ${max} characters`;
    }
    case 'choices': {
      const { values } = field;
      const isList =
        Array.isArray(value) && value.length <= values.length && value.every((one) => isOneOf(one, values));
      return isList ? null : `a list of ${values.join(', ')}`;
    }
  }
}

function isText(value: unknown, max: number): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= max;
}

function isOneOf(value: unknown, values: readonly string[]): boolean {
  return typeof value === 'string' && values.includes(value);
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(413, 'too-large', `a body has at most ${maxBytes} bytes`, { isLast: true });
}
