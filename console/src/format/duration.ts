const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 86_400_000;

const two = (value: number): string => value.toString().padStart(2, '0');

/** Three significant digits: 1.24, 12.4, 124. */
function threeDigits(value: number): string {
  return value === 0 ? '0' : value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/** A duration with three significant digits: "842 ms", "1.24 s", "2 min 05 s", "3 h 12 min", "2 d 04 h". */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${threeDigits(ms)} ms`;
  if (ms < 59_950) return `${threeDigits(ms / MS_PER_SECOND)} s`;
  const seconds = Math.round(ms / MS_PER_SECOND);
  if (ms < MS_PER_HOUR - 500) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(ms / MS_PER_MINUTE);
  if (ms < MS_PER_DAY - MS_PER_MINUTE / 2) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  const hours = Math.round(ms / MS_PER_HOUR);
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}
