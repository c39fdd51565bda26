import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('a type that others import has a name of its own: whoever searches for it finds one', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const places = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(join('src', file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(500);
  expect([...places].filter(([, where]) => where.length > 1)).toEqual([]);
});
