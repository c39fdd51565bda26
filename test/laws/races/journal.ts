import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTHING } from './claim.ts';
import type { Interleaved, Interleaving } from './interleave.ts';
import { INTERVENTIONS } from './interventions.ts';
import type { Violation } from './judge.ts';
import { SCENES } from './scenes.ts';

/** What is counted of an interleaving. */
export type Counted = Pick<Interleaved, 'one' | 'isReached' | 'claim' | 'violations'>;

interface Line {
  readonly sources: string;
  readonly scene: string;
  readonly intervention: string;
  readonly point: string;
  readonly ahead: string;
  readonly isReached: boolean;
  readonly isPromised: boolean;
  readonly violations: Violation[];
}

/** What was played before, of the very same sources: a long plan may be played in parts. */
export class Journal {
  readonly #path: string | undefined;
  readonly #sources = hashOfSources();

  constructor(path: string | undefined) {
    this.#path = path;
  }

  read(): Counted[] {
    if (this.#path === undefined || !existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, 'utf8').split('\n').filter(Boolean);
    return lines.flatMap((text) => this.#counted(JSON.parse(text) as Line));
  }

  note({ one, isReached, claim, violations }: Interleaved): void {
    if (this.#path === undefined) return;
    const { scene, intervention, point, ahead } = one;
    const line: Line = {
      ...{ sources: this.#sources, scene: scene.name, intervention: intervention.name, point, ahead },
      ...{ isReached, isPromised: claim.isPromised === true, violations },
    };
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }

  #counted({ sources, point, ahead, isReached, isPromised, violations, ...names }: Line): Counted[] {
    const scene = SCENES.find(({ name }) => name === names.scene);
    const intervention = INTERVENTIONS.find(({ name }) => name === names.intervention);
    if (sources !== this.#sources || scene === undefined || intervention === undefined) return [];
    const one = { scene, intervention, point, ahead };
    return [{ one, isReached, claim: { ...NOTHING, isPromised }, violations }];
  }
}

/** The same for the same interleaving. */
export function nameOf({ scene, intervention, point }: Interleaving): string {
  return `${scene.name} ${intervention.name} ${point}`;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  for (const path of files.sort()) hash.update(`${path}\0${readFileSync(join('src', path), 'utf8')}\0`);
  return hash.digest('hex').slice(0, 16);
}
