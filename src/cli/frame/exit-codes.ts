export { EXIT_CODES, type ExitName } from '../../core/exit-codes.ts';
