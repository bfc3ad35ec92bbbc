/** A part of the tree whose mutants are run together, and the tests that are to notice them. */
export interface MutatedRoom {
  /** Patterns of the files that are changed; tests are left out. */
  readonly files: readonly string[];
  /** Patterns of the test files that are run. They import what is changed: a started program is not seen into. */
  readonly tests: readonly string[];
  /** Whether any of them needs a database. */
  readonly withDatabase: boolean;
}

function room(path: string, { alsoTestedBy = [] as readonly string[], withDatabase = false } = {}): MutatedRoom {
  return { files: [`src/${path}/**/*.ts`], tests: [`src/${path}/**/*.test.ts`, ...alsoTestedBy], withDatabase };
}

/** The rooms whose mistakes cost money, rights or answers. */
export const MUTATED_ROOMS: Readonly<Record<string, MutatedRoom>> = {
  domain: room('domain'),
  purses: room('gate/purses'),
  gateway: room('gate/gateway'),
  payments: room('control/payments', {
    alsoTestedBy: ['src/program/database/closing.test.ts', 'src/program/app/payment-notices.test.ts'],
    withDatabase: true,
  }),
  usage: room('control/usage', { alsoTestedBy: ['src/control/admin/usage/*.test.ts'], withDatabase: true }),
  ledger: room('control/ledger', { withDatabase: true }),
  identity: room('control/identity', { withDatabase: true }),
  alerts: room('control/alerts', { withDatabase: true }),
  dialects: room('gate/dialects'),
  http: room('program/http'),
  'console-formats': {
    files: ['console/src/format/**/*.ts'],
    tests: ['console/src/format/**/*.test.ts'],
    withDatabase: false,
  },
};
