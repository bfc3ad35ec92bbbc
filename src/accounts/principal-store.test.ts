import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Principal } from '../domain/principal.ts';
import { PrincipalStore } from './principal-store.ts';

const RATE_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** Key n belongs to project n mod 5 and workspace n mod 2. */
function principal(number: number): Principal {
  return {
    workspaceId: `w${number % 2}`,
    projectId: `p${number % 5}`,
    keyId: `k${number}`,
    policies: [null, null],
    expiresAtMs: null,
    rateLimits: RATE_LIMITS,
    budgetPeriod: 'month',
  };
}

test('never holds more than its capacity, and a change leaves nothing of what it is about', () => {
  const number = fc.nat(30);
  const step = fc.oneof(
    fc.record({ act: fc.constantFrom('put', 'get', 'dropKey', 'dropProject', 'dropWorkspace'), number }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, capacity) => {
      const store = new PrincipalStore(capacity);
      for (const { act, number: n } of steps) {
        const one = principal(n);
        if (act === 'put') store.put(`s${n}`, one);
        else if (act === 'dropKey') store.dropKey(one.keyId);
        else if (act === 'dropProject') store.dropProject(one.projectId);
        else if (act === 'dropWorkspace') store.dropWorkspace(one.workspaceId);
        const found = store.get(`s${n}`);
        expect(found === undefined || found.keyId === one.keyId).toBe(true);
        if (act === 'put') expect(found).toBe(one);
        if (act.startsWith('drop')) expect(found).toBeUndefined();
        expect(store.size).toBeLessThanOrEqual(capacity);
      }
    }),
  );
});

test('what is used stays, while as many others as fit come and go', () => {
  const store = new PrincipalStore(10);
  store.put('s0', principal(0));
  for (let number = 1; number < 1_000; number++) {
    expect(store.get('s0')).toBeDefined();
    store.put(`s${number}`, principal(number));
  }
});
