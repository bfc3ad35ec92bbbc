/** Whether a part is more than half of the whole. */
export function isMost(part: number, whole: number): boolean {
  return part > whole / 2;
}
