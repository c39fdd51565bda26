import type { Finding } from './finding.ts';

/** What findings of one class hold together. */
export interface ClassMemory {
  readonly class: string;
  readonly count: number;
  readonly memoryBytes: number;
}

/** The memory of each class among findings whose memory is known, the largest first. */
export function memoryByClass(findings: readonly Finding[]): ClassMemory[] {
  const groups = new Map<string, ClassMemory>();
  for (const { class: of, memoryBytes } of findings) {
    if (memoryBytes === undefined) continue;
    const { count, memoryBytes: sum } = groups.get(of) ?? { count: 0, memoryBytes: 0 };
    groups.set(of, { class: of, count: count + 1, memoryBytes: sum + memoryBytes });
  }
  return [...groups.values()].sort((a, b) => b.memoryBytes - a.memoryBytes);
}
