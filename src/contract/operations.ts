import * as v from 'valibot';
import type { ExitName } from '../core/exit-codes.ts';
import type { FieldsSchema } from '../schema/read.ts';
import type { Recorded } from '../schema/recorded.ts';
import type { ActedDocument } from './acted-schema.ts';
import type { CloseDocument, ReopenDocument, WakeDocument } from './close-schemas.ts';
import type { DoctorDocument } from './doctor-schema.ts';
import type { ExplainDocument, RollDocument } from './document-schemas.ts';
import type { GateReportDocument, GateStatusDocument } from './gate-schemas.ts';
import type { WaitDocument } from './guard-schemas.ts';
import type { ReapReportDocument } from './history-schemas.ts';
import type { LogDocument } from './ledger-schemas.ts';
import { ACT_OPERATIONS } from './operation-acts.ts';
import { LOOK_OPERATIONS } from './operation-looks.ts';
import type { RestoreDocument } from './restore-schema.ts';
import type { StatusDocument } from './status-schema.ts';

/** One thing that can be asked for: every surface is made from it, and does the same. */
export interface Operation {
  readonly summary: string;
  /** What it may change: nothing, what is on record about a session, or sessions themselves. */
  readonly changes: 'looks' | 'declares' | 'acts' | 'streams';
  /** Everything that it takes. A field that is not known is a mistake, and not a later version's. */
  readonly input: FieldsSchema;
  /** The document that it answers with. */
  readonly output: keyof Outputs;
  /** How it may fail; each is an exit code of the command, and a status of HTTP. */
  readonly fails: readonly Exclude<ExitName, 'done'>[];
  /** The field of the input that stands in its address; null where none does. */
  readonly word: 'session' | 'receipt' | null;
  /** Where HTTP has it, if that is not at its own name. */
  readonly path?: string;
  /** The command that does it, where that is not called as it is. */
  readonly command?: string;
  /** Only the process of whoever asks can do it, and why; HTTP does not have it. */
  readonly carried?: 'here';
  readonly because?: string;
}

export const OPERATIONS = { ...LOOK_OPERATIONS, ...ACT_OPERATIONS } as const satisfies Record<
  string,
  Operation
>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];
interface Outputs {
  readonly Roll: RollDocument;
  readonly Explained: ExplainDocument;
  readonly Waited: WaitDocument;
  readonly Status: StatusDocument;
  readonly Examined: DoctorDocument;
  readonly Log: LogDocument;
  readonly Reaps: ReapReportDocument;
  readonly Gate: GateStatusDocument;
  readonly GateReport: GateReportDocument;
  readonly Acted: ActedDocument;
  readonly Closed: CloseDocument;
  readonly Woken: WakeDocument;
  readonly Reopened: ReopenDocument;
  readonly Restored: RestoreDocument;
}

export type Output<N extends OperationName> = Outputs[(typeof OPERATIONS)[N]['output']];
/** Those that HTTP has. */
export type RoutedName = {
  [N in OperationName]: (typeof OPERATIONS)[N] extends { readonly carried: 'here' } ? never : N;
}[OperationName];
export const ROUTED_NAMES = OPERATION_NAMES.filter(
  (name): name is RoutedName => !('carried' in OPERATIONS[name]),
);

/** Those that change nothing. */
export type LookName = {
  [N in OperationName]: (typeof OPERATIONS)[N]['changes'] extends 'looks' ? N : never;
}[OperationName];

export type Input<N extends OperationName> = v.InferOutput<(typeof OPERATIONS)[N]['input']>;
/** The same, read-only: for callers whose lists must not change. */
export type Wish<N extends OperationName> = Recorded<Input<N>>;

/** Something for each of those that HTTP has, by its name. */
export function eachRouted<T>(make: (name: RoutedName) => T): Readonly<Record<RoutedName, T>> {
  return Object.fromEntries(ROUTED_NAMES.map((name) => [name, make(name)])) as Record<RoutedName, T>;
}

/** Looks are asked for in the address alone, everything else with a body. */
export function methodOf(name: OperationName): 'GET' | 'POST' {
  return OPERATIONS[name].changes === 'looks' ? 'GET' : 'POST';
}

/** Where HTTP has it. */
export function pathOf(name: OperationName): string {
  const { path, word }: Operation = OPERATIONS[name];
  return path ?? `/v1/${word}s/{${word}}/${name}`;
}

/** What is left of the input beside the word in the address: for the body of a request, or its query. */
export function restOf(name: OperationName): FieldsSchema {
  const { input, word }: Operation = OPERATIONS[name];
  if (word === null) return input;
  const { [word]: _, ...entries } = input.entries;
  return v.strictObject(entries);
}
