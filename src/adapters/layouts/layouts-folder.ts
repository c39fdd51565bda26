import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { layoutText, MAX_LAYOUT_BYTES, parseLayout } from '../../core/layout/layout.ts';
import { visible } from '../../core/text/visible.ts';
import type { LayoutReading, Layouts } from '../../ports/records.ts';
import { recordsIn, writtenAt } from '../files/look.ts';
import { readOwnText } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';

/** The key of a session, which is the name of its file. */
const KEY = /^\w[\w.-]{0,160}$/;

/** The folder of layouts below a state folder that only its user can reach. It need not be there. */
export function createLayoutsFolder(folder: string): Layouts {
  const pathOf = (key: string): string => join(folder, `${key}.json`);
  return {
    of: (key) => (KEY.test(key) ? layoutIn(pathOf(key), key) : { state: 'absent' }),
    keep(layout) {
      const text = layoutText(layout);
      if (!KEY.test(layout.key)) throw new Error(`not the key of a session: ${visible(layout.key, 200)}`);
      if (Buffer.byteLength(text) > MAX_LAYOUT_BYTES)
        throw new Error(`the layout of a session is over ${MAX_LAYOUT_BYTES} bytes`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFile(pathOf(layout.key), text);
    },
    all: () =>
      recordsIn(folder, KEY).flatMap((key) => {
        const keptAt = writtenAt(pathOf(key));
        return keptAt === null ? [] : [{ key, keptAt }];
      }),
    drop(key) {
      if (KEY.test(key)) rmSync(pathOf(key), { force: true });
    },
  };
}

function layoutIn(path: string, key: string): LayoutReading {
  try {
    const text = readOwnText(path, MAX_LAYOUT_BYTES);
    if (text === null) return { state: 'absent' };
    const layout = parseLayout(text, key);
    return layout === null
      ? { state: 'refused', text: `${path}: it is not whole` }
      : { state: 'read', layout };
  } catch (error) {
    return { state: 'refused', text: visible((error as Error).message, 400) };
  }
}
