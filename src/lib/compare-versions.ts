/** Orders versions such as `0.2.0` by their numbers. What follows these, as in `0.3.0-dev`, doesn't count. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [numbersOf(a), numbersOf(b)];
  for (const [index, number] of first.entries()) {
    const difference = number - (second[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  return /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [0, 0, 0];
}
