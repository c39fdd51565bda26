import { expect, it } from 'vitest';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { settingsOrStandard } from '../../src/operations/config-failure.ts';

it('S53: whoever only lets agents stop has settings, whatever is wrong with config', async () => {
  const broken = async () => {
    throw new TypeError('nobody has thought of this');
  };
  expect(await settingsOrStandard(broken)).toEqual(toSettings(defaultValues()));
});
