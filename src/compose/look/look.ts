import { createLook } from '../../engine/look/create-look.ts';
import type { Look } from '../../engine/look/look.ts';
import { partsOf } from './parts.ts';
import type { Scope } from './scope.ts';

/** A look with the real sensors. */
export function composeLook(scope: Scope): Look {
  return createLook(partsOf(scope), wait);
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
