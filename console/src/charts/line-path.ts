/** An SVG path through the points, broken off at each null. A point between two of them is a line of no length. */
export function linePath(points: readonly (readonly [x: number, y: number] | null)[]): string {
  const isGap = (index: number): boolean => (points[index] ?? null) === null;
  return points
    .map((point, index) => {
      if (point === null) return '';
      const [x, y] = point;
      const isFirst = isGap(index - 1);
      return `${isFirst ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}${isFirst && isGap(index + 1) ? 'h0' : ''}`;
    })
    .join('');
}
