import { ROUTES, type Route, type RouteName } from '../../contract/http/routes.ts';
import { LONGEST_WORD } from '../../contract/operation-fields.ts';
import { badRequest, HttpProblem } from './problem.ts';

/** A request's address, taken apart. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** What it leads to. */
export interface FoundRoute {
  readonly name: RouteName;
  readonly route: Route;
  /** The words that stand for the parts in braces. */
  readonly words: readonly string[];
}

/** Takes an address apart as it is written. Nothing is resolved: `..` is a word like any other, and leads nowhere. */
export function targetOf(url: string, maxLength: number): RequestTarget {
  if (url.length > maxLength) throw new HttpProblem(414, 'address-too-long', 'the address is too long');
  if (!url.startsWith('/')) throw badRequest('address', 'the address has to begin with a slash');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) };
}

const PATTERNS = (Object.entries(ROUTES) as [RouteName, Route][]).map(([name, route]) => ({
  ...{ name, route, parts: route.path.split('/') },
}));

/** The route of an address, or the problem that says why there is none. */
export function routeOf({ path }: RequestTarget, method: string): FoundRoute {
  const parts = path.split('/');
  const there = PATTERNS.flatMap(({ name, route, parts: pattern }) => {
    const words = wordsIn(parts, pattern);
    return words === null ? [] : [{ name, route, words }];
  });
  if (there.length === 0) {
    throw new HttpProblem(404, 'no-route', 'there is nothing at this address', {
      hint: '/openapi.json lists everything',
    });
  }
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = there.find(({ route }) => route.method === wanted);
  if (found !== undefined) return found;
  const allowed = there.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ');
  throw new HttpProblem(405, 'method', `${allowed} only`, { headers: { Allow: allowed } });
}

/** Parameters that the route does not know are mistakes: who misspells a filter gets no wrong answer. */
export function checkParameters(query: URLSearchParams, known: Route['query'] = {}): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known).join(', ');
      const hint = names === '' ? 'it takes none' : `it takes ${names}`;
      throw badRequest('parameter', `there is no parameter ${name.slice(0, 60)} here`, hint);
    }
    if (seen.has(name)) throw badRequest('parameter', `the parameter ${name} is there twice`);
    seen.add(name);
  }
}

function wordsIn(parts: readonly string[], pattern: readonly string[]): string[] | null {
  if (parts.length !== pattern.length) return null;
  const words: string[] = [];
  for (const [index, part] of pattern.entries()) {
    const given = parts[index] ?? '';
    if (!part.startsWith('{')) {
      if (given !== part) return null;
      continue;
    }
    const word = decoded(given);
    if (word === null || word === '' || word.length > LONGEST_WORD) return null;
    words.push(word);
  }
  return words;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
