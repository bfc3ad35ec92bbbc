import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { colorsOf, OTHER, type Series } from './series.ts';

const GREY = 'var(--series-other)';
const EIGHT = Array.from({ length: 8 }, (_, index) => `model-${index}`);
const MANY = Array.from({ length: 30 }, (_, index) => `model-${index}`);

const seriesOf = (ids: readonly string[], kind = 'model'): readonly Series[] =>
  ids.map((id) => ({ id, label: id, kind }));
const colorOf = (id: string, kind = 'model'): string | undefined => colorsOf(seriesOf([id], kind)).get(id);

/** What the browser remembers. */
let stored: string | null;

beforeEach(() => {
  stored = null;
  vi.stubGlobal('localStorage', {
    getItem: () => stored,
    setItem: (_key: string, value: string) => (stored = value),
  });
});

test('eight models have the same eight colours in all charts that show any of them, whichever came first', () => {
  const charts = fc.array(fc.shuffledSubarray(EIGHT), { maxLength: 12 });
  fc.assert(
    fc.property(charts, (shown) => {
      stored = null;
      const known = new Map<string, string>();
      for (const ids of shown) {
        for (const [id, color] of colorsOf(seriesOf(ids))) {
          expect([id, known.get(id) ?? color]).toEqual([id, color]);
          known.set(id, color);
        }
      }
      expect(new Set(known.values()).size).toBe(known.size);
      expect([...known.values()]).not.toContain(GREY);
    }),
  );
});

test('no two series of a chart have the same colour, however many models were seen before', () => {
  const charts = fc.array(fc.shuffledSubarray(MANY, { maxLength: 8 }), { minLength: 5, maxLength: 20 });
  fc.assert(
    fc.property(charts, (shown) => {
      for (const ids of shown) {
        const colors = [...colorsOf(seriesOf(ids)).values()];
        expect(new Set(colors).size).toBe(ids.length);
        expect(colors).not.toContain(GREY);
      }
    }),
  );
});

test('what stands beyond eight series, and what is left of them, is grey, and takes no colour from another', () => {
  const colors = colorsOf([...seriesOf(MANY.slice(0, 9)), { id: OTHER, label: 'other' }]);
  expect([colors.get('model-8'), colors.get(OTHER)]).toEqual([GREY, GREY]);
  expect(new Set(colors.values()).size).toBe(9);
  expect(colorsOf([{ id: 'failed', label: '', role: 'danger' }]).get('failed')).toBe('var(--danger)');
});

test('keys do not take the colours of models', () => {
  const before = colorsOf(seriesOf(EIGHT.slice(0, 4)));
  colorsOf(seriesOf(MANY, 'key'));
  const after = colorsOf(seriesOf(EIGHT));
  for (const [id, color] of before) expect(after.get(id)).toBe(color);
  expect(new Set(after.values()).size).toBe(8);
});

test('a model has its colour after a visit to many others, and where what is stored cannot be read, one by its id', () => {
  const usual = colorOf('model-3');
  for (let at = 4; at < MANY.length; at += 4) colorsOf(seriesOf(MANY.slice(at, at + 4)));
  expect(colorOf('model-3')).toBe(usual);
  for (const text of ['{', '[1]', '{"model":[[1]]}', '{"model":7}', 'null']) {
    stored = text;
    expect([text, colorOf('model-3')]).toEqual([text, usual]);
  }
});
