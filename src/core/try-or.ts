/** What the work gives, or this where it throws: for work whose failure is an answer. Not for promises. */
export function tryOr<T, U>(otherwise: U, work: () => T): T | U {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** Does the work, and says whether it succeeded. Not for promises. */
export function succeeds(work: () => void): boolean {
  return tryOr(false, () => {
    work();
    return true;
  });
}

/** The same as `tryOr` for one error code of the system; every other error is thrown. */
export function unless<T, U>(code: string, otherwise: U, work: () => T): T | U {
  try {
    return work();
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== code) throw error;
    return otherwise;
  }
}
