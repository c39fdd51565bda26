export { formatDuration, parseDuration } from '../core/text/written-duration.ts';
