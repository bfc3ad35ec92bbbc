/** Mutants that change nothing anybody could see, by their names, and why. */
export const EQUIVALENT: Readonly<Record<string, string>> = {};
