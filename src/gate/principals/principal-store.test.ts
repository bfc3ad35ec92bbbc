import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.ts';
import { PrincipalStore } from './principal-store.ts';

const RATE_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** Key n belongs to project n mod 5, which belongs to workspace 0 or 1. */
function principal(number: number): Principal {
  return {
    workspaceId: `w${(number % 5) % 2}`,
    projectId: `p${number % 5}`,
    keyId: `k${number}`,
    policies: [null, null],
    expiresAtMs: null,
    rateLimits: RATE_LIMITS,
    budgetPeriod: 'month',
    memberLimitId: null,
    servedLimits: null,
    served: null,
    reportsCost: false,
    isAllowedFrom: null,
    suspension: null,
  };
}

test('a principal store never exceeds its capacity, and a change removes all entries of its subject', () => {
  const number = fc.nat(30);
  const step = fc.oneof(
    fc.record({ act: fc.constantFrom('put', 'get', 'dropKey', 'dropProject', 'dropWorkspace'), number }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, capacity) => {
      const store = new PrincipalStore(capacity);
      for (const { act, number: n } of steps) {
        const one = principal(n);
        if (act === 'put') expect(store.put(`s${n}`, one)).toEqual(one);
        else if (act === 'dropKey') store.dropKey(one.keyId);
        else if (act === 'dropProject') store.dropProject(one.projectId);
        else if (act === 'dropWorkspace') store.dropWorkspace(one.workspaceId);
        const found = store.get(`s${n}`);
        expect(found === undefined || found.keyId === one.keyId).toBe(true);
        if (act === 'put') expect(found).toEqual(one);
        if (act.startsWith('drop')) expect(found).toBeUndefined();
        for (let other = 0; other <= 30; other++) {
          const { projectId, workspaceId } = principal(other);
          const isDropped =
            (act === 'dropProject' && projectId === one.projectId) ||
            (act === 'dropWorkspace' && workspaceId === one.workspaceId);
          if (isDropped) expect(store.get(`s${other}`)).toBeUndefined();
        }
        expect(store.size).toBeLessThanOrEqual(capacity);
      }
    }),
  );
});

test('a principal store keeps used entries and evicts unused ones', () => {
  const store = new PrincipalStore(10);
  store.put('s0', principal(0));
  for (let number = 1; number < 1_000; number++) {
    expect(store.get('s0')).toBeDefined();
    store.put(`s${number}`, principal(number));
  }
});

test('principals of one project share their equal parts, and nothing else', () => {
  const store = new PrincipalStore(10);
  const policies = (own: string[] | null): readonly (string[] | null)[] => [['small', 'large'], own];
  const [first, alike, other, changed] = [
    store.put('s0', { ...principal(0), policies: policies(null) }),
    store.put('s5', { ...principal(5), policies: policies(null) }),
    store.put('s10', { ...principal(10), policies: policies(['small']) }),
    store.put('s15', { ...principal(15), policies: [['small'], null] }),
  ];
  expect(alike.policies).toBe(first.policies);
  expect(alike.rateLimits).toBe(first.rateLimits);
  expect(other.policies).toEqual([['small', 'large'], ['small']]);
  expect(other.policies[0]).toBe(first.policies[0]);
  expect(changed.policies).toEqual([['small'], null]);
});

test('principals of one project share equal limits, and keep their own if any limit differs', () => {
  const store = new PrincipalStore(10);
  const limits = { requestsPerMinute: 1, tokensPerMinute: 2, concurrency: 3 };
  const first = store.put('s0', { ...principal(0), rateLimits: limits });
  expect(store.put('s5', { ...principal(5), rateLimits: { ...limits } }).rateLimits).toBe(first.rateLimits);
  for (const name of ['requestsPerMinute', 'tokensPerMinute', 'concurrency'] as const) {
    for (const value of [null, 9]) {
      const rateLimits = { ...limits, [name]: value };
      expect(store.put('s10', { ...principal(10), rateLimits }).rateLimits).toEqual(rateLimits);
    }
  }
});
