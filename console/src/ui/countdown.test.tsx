import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Countdown } from './countdown.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 12) });
});
afterEach(() => {
  vi.useRealTimers();
});

const shown = (leftMs: number): string =>
  renderToStaticMarkup(
    <Countdown until={new Date(Date.now() + leftMs).toISOString()} onEnd={() => undefined} />,
  ).replaceAll(/<[^>]*>/g, '');

test('a countdown says the second that has begun, so that it never says nothing is left while something is', () => {
  expect(shown(61_001)).toBe(shown(62_000));
  expect(shown(61_001)).not.toBe(shown(61_000));
  expect(shown(1)).toBe(shown(1_000));
  expect([shown(0), shown(-1)]).toEqual(['over', 'over']);
});
