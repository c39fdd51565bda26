import { execFileSync } from 'node:child_process';

/** Ends its first thread and sleeps in another one: Node itself cannot do that. */
export const HEADLESS_PROGRAM = `
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(1000,)).start()
ctypes.CDLL(None).pthread_exit(None)`;

/** Whether there is a Python that can run it. */
export const canBeHeadless = (() => {
  try {
    execFileSync('python3', ['-c', 'import ctypes; ctypes.CDLL(None).pthread_exit'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
