/** What a fault says of itself; anything may be thrown. */
export function faultMessage(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
