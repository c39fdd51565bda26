import { describe, expect, it } from 'vitest';
import { defaultValues, toSettings } from '../../src/config/settings.ts';

const patternsOf = (...written: string[]) =>
  toSettings({ ...defaultValues(), 'doctor.orphanPatterns': written }).doctor.orphanPatterns;

describe('doctor.orphanPatterns', () => {
  it('has none by default: nothing is an orphan by its name', () => {
    expect(toSettings(defaultValues()).doctor.orphanPatterns).toEqual([]);
  });

  it.each([
    ['gt-*', 'gt-*', null],
    ['gt-web-*=/home/me/web', 'gt-web-*', '/home/me/web'],
    ['a=b-*=/home/a=/b', 'a=b-*', '/home/a=/b'],
    ['fleet-?=pid:12.345', 'fleet-?', 'pid:12.345'],
    ['fleet=pid:12', 'fleet', 'pid:12'],
    ['name=alice', 'name=alice', null],
    ['=/folder', '=/folder', null],
  ])('reads %s', (written, pattern, owner) => {
    expect(patternsOf(written)).toEqual([{ pattern, owner }]);
  });
});
