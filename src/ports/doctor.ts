import type { Remedy } from '../core/doctor/finding.ts';
import type {
  AnsweringServer,
  DaemonFound,
  DiskSighting,
  FolderSighting,
  LoginSighting,
  ServerSettings,
} from '../core/doctor/sightings.ts';

/** Sees what only the doctor looks at. Looks only: sets no option, changes no file. None of it throws. */
export interface DoctorSensor {
  /** One call for each server, whatever it holds. */
  settings(servers: readonly AnsweringServer[]): Promise<readonly ServerSettings[]>;
  login(servers: readonly AnsweringServer[]): LoginSighting;
  disk(): DiskSighting;
  /** Everything below the state folder but what is in the spool. */
  stateFolder(): FolderSighting;
  /** After a look: what that took in may be gone by then. */
  spool(): FolderSighting;
  daemon(): DaemonFound;
  /** Of these folders, those that are gone for certain: the folder above is there. */
  missingFolders(paths: Iterable<string>): ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

type OwnFileRemedy = Extract<Remedy, { readonly kind: 'own-file' }>;

/** `changed`: it is no longer what was found, and nothing was done. */
export type Mended =
  | { readonly state: 'done' }
  | { readonly state: 'changed'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

/** Mends files of rollcall's own, and nothing outside its state folder. */
export interface OwnFiles {
  mend(remedy: OwnFileRemedy): Mended;
}
