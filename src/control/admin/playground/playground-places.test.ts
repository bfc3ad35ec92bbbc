import { expect, test } from 'vitest';
import type { Actor } from '../../../domain/actor.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { type PlaygroundPlace, PlaygroundPlaces } from './playground-places.ts';

const person = (userId: string): Actor => ({ kind: 'session', userId }) as Actor;

function taken(places: PlaygroundPlaces, actor: Actor): PlaygroundPlace {
  const place = places.take(actor);
  if (isRefusal(place)) throw new Error(place.message);
  return place;
}

test('an actor has eight places, and gets one more only once one of its own is left', () => {
  const places = new PlaygroundPlaces();
  const [first] = Array.from({ length: 8 }, () => taken(places, person('a')));
  taken(places, person('b')).leave();
  expect(places.take(person('a'))).toMatchObject({ code: 'RATE_LIMITED' });
  first?.leave();
  taken(places, person('a'));
  expect(places.take(person('a'))).toMatchObject({ code: 'RATE_LIMITED' });
});

test('all actors have a hundred places together, and get one more only once any is left', () => {
  const places = new PlaygroundPlaces();
  const [first] = Array.from({ length: 100 }, (_, at) => taken(places, person(String(at))));
  expect(places.take(person('a'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  first?.leave();
  taken(places, person('a'));
  expect(places.take(person('b'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('places that were left are free, however many requests there were before', () => {
  const places = new PlaygroundPlaces();
  for (let at = 0; at < 1_000; at++) taken(places, person('a')).leave();
  expect(isRefusal(places.take(person('a')))).toBe(false);
});
