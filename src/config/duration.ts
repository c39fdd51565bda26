export { formatDuration, parseDuration } from '../core/written-duration.ts';
