import type { CheckResult, GateCheck } from '../../core/gate/check.ts';
import { checkText } from '../../core/gate/check-text.ts';
import { doctorProgress } from '../doctor/progress.ts';
import type { TerminalOutput } from '../frame/surroundings.ts';

/** Says which check is looked at, while somebody sees it. */
export function checkProgress(output: TerminalOutput): {
  onCheck(check: GateCheck, result: CheckResult | null): void;
  end(): void;
} {
  const { say, end } = doctorProgress(output);
  return {
    onCheck: (check, result) => {
      if (result === null) say(`looking whether ${checkText(check)} …`);
    },
    end,
  };
}
