import { visible } from '../../text/visible.ts';
import type { DoctorCheck } from './check.ts';

/** Whether the record of everything that was done holds together. */
export const ledgerCheck: DoctorCheck = {
  name: 'ledger',
  group: 'machine',
  scope: 'machine',
  looksAt: 'the ledger’s chain of hashes, from the first entry to the last',
  examine: ({ machine: { ledger } }) => {
    if (ledger.state === 'failed') return { problem: `${ledger.text}; ${ledger.hint}` };
    const { damage, head, path } = ledger;
    if (damage === null) return [];
    return [
      {
        class: damage.reason,
        severity: 'error',
        text: `the ledger is damaged: ${visible(damage.text, 300)}`,
        evidence: [
          `it holds up to entry ${head.sequence}, and not from entry ${damage.sequence} on`,
          visible(path, 200),
        ],
        advice: [
          'nothing is closed as long as it is damaged',
          'see what holds: rollcall verify',
          'go on with what holds, the damaged file is kept: rollcall verify --repair',
        ],
      },
    ];
  },
};
