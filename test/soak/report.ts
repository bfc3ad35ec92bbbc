/** What a long run has shown. */
export interface SoakReport {
  /** The figures, for people. */
  readonly lines: readonly string[];
  /** What should not be; empty: it could go on for ever. */
  readonly faults: readonly string[];
}
