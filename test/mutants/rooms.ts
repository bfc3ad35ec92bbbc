/** A part of the tree whose mutants are run together, and the tests that are to notice them. */
export interface MutatedRoom {
  /** Patterns of the files that are changed; tests are left out. */
  readonly files: readonly string[];
  /** Patterns of the test files that are run. They import what is changed: a started program is not seen into. */
  readonly tests: readonly string[];
}

function room(name: string, ...alsoTestedBy: readonly string[]): MutatedRoom {
  return { files: [`src/${name}/**/*.ts`], tests: [`src/${name}/**/*.test.ts`, ...alsoTestedBy] };
}

/** The rooms whose mistakes cost money, rights or answers. */
export const MUTATED_ROOMS: Readonly<Record<string, MutatedRoom>> = {
  domain: room('domain'),
  purses: room('purses'),
  gateway: room('gateway'),
  payments: room('payments'),
  usage: room('usage'),
  ledger: room('ledger'),
  identity: room('identity'),
  alerts: room('alerts'),
  dialects: room('dialects'),
  http: room('http'),
  'console-formats': { files: ['console/src/format/**/*.ts'], tests: ['console/src/format/**/*.test.ts'] },
};
