import type { Sample } from './sample.ts';

/** One damage: a file that ends at a byte, or one bit of a byte that is turned. */
export interface Damage {
  readonly file: string;
  readonly how: 'cut' | 'flip';
  readonly at: number;
}

/** The files of a sample with that damage. */
export function damaged({ files }: Sample, { file, how, at }: Damage): Record<string, Buffer> {
  const whole = files[file] as Buffer;
  return { ...files, [file]: how === 'cut' ? whole.subarray(0, at) : flipped(whole, at) };
}

function flipped(whole: Buffer, at: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes[at] = (bytes[at] as number) ^ (1 << bitOf(at));
  return bytes;
}

/** Each bit of a byte is turned in one of eight places, by a rule: the same case is the same damage in every run. */
export function bitOf(at: number): number {
  return (at * 5 + (at >> 3)) % 8;
}

export function nameOf({ file, how, at }: Damage): string {
  return how === 'cut' ? `${file} ends at ${at}` : `bit ${bitOf(at)} of byte ${at} of ${file}`;
}
