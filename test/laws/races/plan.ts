import { join } from 'node:path';
import type { Interleaving } from './interleave.ts';
import type { Intervention } from './interventions.ts';
import type { Scene } from './scenes.ts';
import { Stage } from './stage.ts';
import { readTrace, type Trace } from './trace.ts';

/** The points of a scene, from a close that nobody disturbs. */
export async function pointsOf(scene: Scene): Promise<Pick<Interleaving, 'point' | 'ahead'>[]> {
  const stage = await Stage.open();
  try {
    const { name } = await scene.set(stage, `${scene.name}-dry`);
    const log = join(stage.world.folder, 'dry.race');
    const watched = stage.watch(scene.argv(name), log, { isHurried: scene.isHurried ?? false });
    const { exitCode, stdout, stderr } = await watched.ended;
    if (exitCode !== 0) throw new Error(`${scene.name}, undisturbed: ${exitCode} ${stdout}${stderr}`);
    const harmed = await stage.harmed();
    if (harmed.length > 0) throw new Error(`${scene.name}, undisturbed: ${harmed.join(', ')}`);
    return onTheWay(readTrace(watched.log), scene);
  } finally {
    await stage.close();
  }
}

// Until the first look is over, a name may come to mean another session, and rightly so.
function onTheWay({ points, ahead }: Trace, { isSwept }: Scene): Pick<Interleaving, 'point' | 'ahead'>[] {
  const first = points.findIndex((point) => point.startsWith('before rename recollection.json')) + 1;
  return points.slice(first).map((point, index) => {
    const step = ahead[first + index] ?? 'end';
    return { point, ahead: isSwept && step === 'terminate' ? 'sweep' : step };
  });
}

type Points = Awaited<ReturnType<typeof pointsOf>>;

/** So many points of a scene for each intervention, in an order that mixes them: also the first ones cover everything. */
export function interleavings(
  scene: Scene,
  points: Points,
  interventions: readonly Intervention[],
  perPair: number,
): Interleaving[] {
  return interventions.flatMap((intervention) => {
    const shift = hashOf(`${scene.name} ${intervention.name}`);
    return selectPoints(points, Math.ceil(perPair * (scene.part ?? 1)), shift).map(({ point, ahead }) => ({
      scene,
      point,
      ahead,
      intervention,
    }));
  });
}

export function mixed(all: readonly Interleaving[]): Interleaving[] {
  const key = ({ scene, point, intervention }: Interleaving) =>
    hashOf(`${scene.name} ${intervention.name} ${point}`);
  return [...all].sort((one, other) => key(one) - key(other));
}

// Those around acts and records first, then evenly over the rest; others for each intervention, so that together they
// cover more.
function selectPoints(points: Points, count: number, shift: number): Points {
  const sharp = points.filter(({ point }) => SHARP.test(point));
  const rest = points.filter(({ point }) => !SHARP.test(point));
  const most = Math.max(Math.ceil(count * 0.6), count - rest.length);
  const chosen = spread(sharp, most, shift);
  return [...chosen, ...spread(rest, count - chosen.length, shift)];
}

const SHARP = /tmux (?:send-keys|kill-session|if-shell)|SIG(?:TERM|KILL)|INSERT|COMMIT/;

function spread<T>(all: readonly T[], count: number, shift: number): T[] {
  if (count >= all.length) return [...all];
  const step = all.length / count;
  return Array.from({ length: count }, (_, index) => all[Math.floor((index + shift) * step)] as T);
}

/** Between 0 and 1, and always the same for the same text. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
