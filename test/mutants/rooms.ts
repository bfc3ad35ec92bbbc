/** A part of the tree whose mutants are run together, and the tests that are to notice them. */
export interface MutatedRoom {
  /** Patterns of the files that are changed; tests are left out. */
  readonly files: readonly string[];
  /** Patterns of the test files that are run. They import what is changed: a started program is not seen into. */
  readonly tests: readonly string[];
  /** Whether any of them needs a database. */
  readonly withDatabase: boolean;
}

function room(name: string, { alsoTestedBy = [] as readonly string[], withDatabase = false } = {}): MutatedRoom {
  return { files: [`src/${name}/**/*.ts`], tests: [`src/${name}/**/*.test.ts`, ...alsoTestedBy], withDatabase };
}

/** The rooms whose mistakes cost money, rights or answers. */
export const MUTATED_ROOMS: Readonly<Record<string, MutatedRoom>> = {
  domain: room('domain'),
  purses: room('purses'),
  gateway: room('gateway'),
  payments: room('payments', {
    alsoTestedBy: ['src/database/closing.test.ts', 'src/app/payment-notices.test.ts'],
    withDatabase: true,
  }),
  usage: room('usage', { alsoTestedBy: ['src/admin/usage/*.test.ts'], withDatabase: true }),
  ledger: room('ledger', { withDatabase: true }),
  identity: room('identity', { withDatabase: true }),
  alerts: room('alerts', { withDatabase: true }),
  dialects: room('dialects'),
  http: room('http'),
  'console-formats': {
    files: ['console/src/format/**/*.ts'],
    tests: ['console/src/format/**/*.test.ts'],
    withDatabase: false,
  },
};
