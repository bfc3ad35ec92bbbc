/** Words that a reader has to read twice, and the ones to use instead. */
export interface WordRule {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Those that stand nowhere: not in sources, documents or names of tests. */
export const AVOIDED: readonly WordRule[] = [
  { pattern: /\bwhoever\b/i, instead: 'the component: the caller, the holder, the owner' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bmeanwhile\b/i, instead: 'by then, or a clause with while' },
  { pattern: /\blately\b/i, instead: 'recently, within the last minute, cached' },
  { pattern: /\bby lot\b/i, instead: 'at random, by weighted random selection' },
  { pattern: /\bin vain\b/i, instead: 'non-conforming, rejected, without effect' },
  { pattern: /\bin (?:its|his|their|\w+'s) stead\b/i, instead: 'the successor, the replacement' },
  { pattern: /\bby heart\b/i, instead: 'cached, in memory' },
  { pattern: /\bdear(?:er|est)\b/i, instead: 'more expensive, higher, highest' },
  { pattern: /\bturn(?:s|ed)? away\b/i, instead: 'refuse, reject' },
  { pattern: /\b(?:farewell|goodbye)\b/i, instead: 'the last message, the close' },
  { pattern: /\bat once\b/i, instead: 'synchronously, immediately, concurrently, together' },
];
