import { expect, test } from 'vitest';
import { sessionActor } from '../../../test/support/admin-identity.ts';
import type { Actor } from '../../domain/actor.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { AdminPlaces, placeOf, type PlaceKind } from './admin-places.ts';

const OPERATOR: Actor = { kind: 'operator', tokenId: null, name: 'operator', access: 'all' };

const member = (userId: string): Actor => sessionActor({ userId });

/** Requests that are in progress until they are ended. */
class Requests {
  readonly #places = new AdminPlaces();
  readonly #ended = Promise.withResolvers<null>();
  readonly #open: Promise<unknown>[] = [];

  /** How many of so many find a place. */
  begin(kind: PlaceKind, key: string, count = 1): number {
    let served = 0;
    for (let each = 0; each < count; each++) {
      this.#open.push(
        this.#places.hold(kind, key, () => {
          served += 1;
          return this.#ended.promise;
        }),
      );
    }
    return served;
  }

  beginFor(actor: Actor, count = 1): number {
    return this.begin(...placeOf(actor), count);
  }

  async end(): Promise<readonly unknown[]> {
    this.#ended.resolve(null);
    return await Promise.all(this.#open);
  }
}

test('requests of one user take a part of the places, and those of all users none of the operator', async () => {
  const requests = new Requests();
  expect(requests.beginFor(member('greedy'), 300)).toBe(100);
  expect(requests.beginFor(member('other'))).toBe(1);
  for (let user = 0; user < 30; user++) requests.beginFor(member(`${user}`), 20);
  expect(requests.beginFor(member('late'))).toBe(0);
  expect(requests.beginFor(OPERATOR, 10)).toBe(10);
  expect(requests.begin('public', '192.0.2')).toBe(1);
  const results = await requests.end();
  expect(results.find(isRefusal)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });
});

test('people who wait for an OpenID provider that does not answer keep nobody from signing in otherwise', async () => {
  const requests = new Requests();
  for (let site = 0; site < 50; site++) requests.begin('openId', `site ${site}`, 10);
  expect(requests.begin('openId', 'late')).toBe(0);
  expect(requests.begin('public', 'site 1')).toBe(1);
  expect(requests.beginFor(member('ada'))).toBe(1);
  await requests.end();
});

test('places end as they began, also if the work fails', async () => {
  const requests = new Requests();
  expect(requests.beginFor(member('ada'), 130)).toBe(100);
  await requests.end();
  expect(requests.beginFor(member('ada'), 130)).toBe(100);
  const places = new AdminPlaces();
  for (let count = 0; count < 200; count++) {
    await expect(places.hold('operators', '', () => Promise.reject(new Error('it failed')))).rejects.toThrow(
      'it failed',
    );
  }
  expect(await places.hold('operators', '', () => Promise.resolve('served'))).toBe('served');
});
