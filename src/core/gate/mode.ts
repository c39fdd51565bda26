/** What the gate may do with a stop: nothing, decide and only record it, or keep the proven owner going. */
export const GATE_MODES = ['off', 'shadow', 'enforce'] as const;
export type GateMode = (typeof GATE_MODES)[number];

/** Until somebody says otherwise: watch before you block. */
export const DEFAULT_GATE_MODE: GateMode = 'shadow';
