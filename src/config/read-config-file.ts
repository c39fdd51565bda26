import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const MAX_BYTES = 256 * 1024;

/** What stands in one file, exactly absent, or why it could not be had. */
export type ConfigFile =
  | { readonly state: 'read'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };

/** Reads one JSON object. A repository may hold a link to a pipe or a device, so only a small regular file is read. */
export function readConfigFile(path: string): ConfigFile {
  let text: string | null;
  try {
    text = readSmallFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return { state: 'absent' };
    return failed(`cannot be read (${code ?? String(error)})`, 'check the path and its permissions');
  }
  if (text === null) {
    return failed('is not a regular file of at most 256 KiB', 'put a small JSON file there, or remove it');
  }
  return parse(text);
}

function readSmallFile(path: string): string | null {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(descriptor, 'utf8') : null;
  } finally {
    closeSync(descriptor);
  }
}

function parse(text: string): ConfigFile {
  const json = text.replace(/^\ufeff/, '');
  if (json.trim() === '') return failed('is empty', 'write {} into it, or remove it');
  try {
    const content: unknown = JSON.parse(json);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return { state: 'read', content: content as Record<string, unknown> };
    }
  } catch (error) {
    const hint =
      'JSON has no comments and no comma after the last value; names and texts stand in double quotes';
    return failed(`is not valid JSON: ${(error as Error).message}`, hint);
  }
  return failed('holds no JSON object', 'write { "idleAfter": "1h" }, for example');
}

function failed(text: string, hint: string): ConfigFile {
  return { state: 'failed', text, hint };
}
