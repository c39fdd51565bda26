/** Whoever closes by itself takes the turn first: in one daemon nothing is closed beside something else. */
export interface CloseTurn {
  isTaken(): boolean;
  /** Null where another has it; otherwise gives it back when called. */
  take(): (() => void) | null;
}

export function createCloseTurn(): CloseTurn {
  let holder: object | null = null;
  return {
    isTaken: () => holder !== null,
    take() {
      if (holder !== null) return null;
      const own = {};
      holder = own;
      return () => {
        if (holder === own) holder = null;
      };
    },
  };
}
