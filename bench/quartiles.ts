/** The values below which a quarter, a half and three quarters of these are. */
export function quartiles(values: readonly number[]): readonly [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (quarter: number): number => {
    const place = ((sorted.length - 1) * quarter) / 4;
    const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return (low + high) / 2;
  };
  return [at(1), at(2), at(3)];
}
