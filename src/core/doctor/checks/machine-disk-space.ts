import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { DoctorCheck } from './check.ts';

const MIB = 1024 * 1024;
/** An archive of a large session, and the ledger’s next entries, fit into it. */
const SCARCE_BYTES = 256 * MIB;
/** Not even an intent is sure to be recorded below this. */
const FULL_BYTES = 16 * MIB;
const SCARCE_FILES = 1000;

/** Room for the ledger and the archives: without it nothing can be closed. */
export const diskSpace: DoctorCheck = {
  name: 'disk-space',
  group: 'machine',
  scope: 'machine',
  looksAt: 'room on the file system of the state folder',
  examine: ({ machine: { disk } }) => {
    if (disk.state === 'failed') return { problem: visible(`${disk.path}: ${disk.text}`, 300) };
    const { path, availableBytes, totalBytes, totalFiles, freeFiles } = disk;
    const where = visible(path, 200);
    const left = `${Math.floor(availableBytes / MIB)} MiB of ${Math.floor(totalBytes / MIB)} MiB are left`;
    const isCounted = totalFiles > 0;
    return [
      ...(availableBytes < FULL_BYTES ? [finding('full', 'error', left, where)] : []),
      ...(availableBytes >= FULL_BYTES && availableBytes < SCARCE_BYTES
        ? [finding('scarce', 'warning', left, where)]
        : []),
      ...(isCounted && freeFiles < SCARCE_FILES
        ? [finding('few-files', freeFiles === 0 ? 'error' : 'warning', `${freeFiles} more files fit`, where)]
        : []),
    ];
  },
};

function finding(
  kind: string,
  severity: FindingParts['severity'],
  left: string,
  where: string,
): FindingParts {
  return {
    class: kind,
    severity,
    text: `the state folder’s disk is nearly full: ${left}`,
    evidence: [where],
    advice: ['make room: without it nothing is recorded, and what is not recorded is not done'],
  };
}
