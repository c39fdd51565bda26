/** One setting: section and name in small letters, what stands between them as it is written. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
}

const NOTHING = /^\s*(?:[#;].*)?$/;
const SECTION = /^\s*\[([A-Za-z][\w-]*)(?:[ \t]+"([^"\\]*)")?\]\s*$/;
const SETTING = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(?:"([^"\\]*)"|([^"\\#;]*?)))?\s*$/;

/** Reads a config of git that is written the way git writes most of them; null where only git's own parser will do. */
export function parsePlainConfig(text: string): ConfigEntry[] | null {
  if (/[\0\ufeff]|^\s*\[\s*include/im.test(text)) return null;
  const entries: ConfigEntry[] = [];
  let section: string | null = null;
  for (const line of text.split('\n')) {
    if (NOTHING.test(line)) continue;
    const header = SECTION.exec(line);
    const setting = SETTING.exec(line);
    if (header?.[1] !== undefined) {
      section = header[1].toLowerCase() + (header[2] === undefined ? '' : `.${header[2]}`);
    } else if (setting?.[1] !== undefined && section !== null) {
      entries.push({
        key: `${section}.${setting[1].toLowerCase()}`,
        value: setting[2] ?? setting[3] ?? 'true',
      });
    } else {
      return null;
    }
  }
  return entries;
}

/** The same settings as a config that git reads. */
export function writeConfig(entries: readonly ConfigEntry[]): string {
  return entries
    .map(({ key, value }) => {
      const [section, name] = key.split('.');
      const quoted = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
      return `[${section}]\n\t${name} = "${quoted}"\n`;
    })
    .join('');
}
