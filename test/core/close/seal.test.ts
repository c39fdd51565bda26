import { describe, expect, it } from 'vitest';
import { readReceived } from '../../../src/core/close/bodies.ts';
import { sealOf } from '../../../src/core/close/seal.ts';

describe('an archive is', () => {
  it('whole with the digest that was recorded, and changed with any other', () => {
    const body = { digests: { 'session.json': 'd1', 'pane-0.txt': 'd2' } };
    expect(sealOf(body, 'd1')).toBe('whole');
    expect(sealOf(body, 'd2')).toBe('changed');
    expect(sealOf(body, '')).toBe('changed');
  });

  it.each([{}, { digests: null }, { digests: {} }, { digests: { 'session.json': 7 } }, { digests: ['d1'] }])(
    'unsealed where nothing was recorded: %j',
    (body) => {
      expect(sealOf(readReceived(body), 'd1')).toBe('unsealed');
      expect(readReceived(body).digests).toBeNull();
    },
  );

  it('told of file by file', () => {
    expect(readReceived({ digests: { a: 'd1', b: 1 } }).digests).toEqual({ a: 'd1' });
  });
});
