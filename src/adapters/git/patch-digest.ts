import { createHash } from 'node:crypto';

/**
 * One digest for each patch in the output of `diff-tree --stdin -p --full-index`, equal for the same change at another
 * place of the same files. Unlike `git patch-id` it minds white space and the content of binary files: a wrong "same"
 * would call work merged that is not.
 */
export function patchDigests(output: Buffer): string[] {
  const patches: string[][] = [];
  let index = '';
  // One character for each byte: decoded as UTF-8, different bytes of another encoding would look the same.
  for (const line of output.toString('latin1').split('\n')) {
    if (/^[0-9a-f]{40,64}$/.test(line)) {
      patches.push([]);
    } else if (line.startsWith('index ')) {
      index = line;
    } else {
      // Contents of text files are in the patch itself; of binary files only these ids are.
      if (line.startsWith('Binary files ')) patches.at(-1)?.push(index);
      if (line !== '') patches.at(-1)?.push(line.startsWith('@@ ') ? '@@' : line);
    }
  }
  return patches.map((lines) => createHash('sha256').update(lines.join('\n')).digest('hex'));
}
