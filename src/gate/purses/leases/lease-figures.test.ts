import { expect, test } from 'vitest';
import { Demand, LeaseFigureRows } from './lease-figures.ts';

test('the demand for a lease is the most of this second and of the one before, and is forgotten after two', () => {
  const demand = new Demand(new LeaseFigureRows().next(), 5_000);
  demand.held(70n, 5_000);
  demand.held(30n, 5_999);
  demand.charged(8n);
  demand.charged(4n);
  expect(demand).toMatchObject({ peak: 70n, rate: 12n });
  demand.held(50n, 6_000);
  demand.charged(5n);
  expect(demand).toMatchObject({ peak: 70n, rate: 12n });
  demand.held(20n, 7_999);
  expect(demand).toMatchObject({ peak: 50n, rate: 5n });
  demand.charged(9n);
  expect(demand).toMatchObject({ peak: 50n, rate: 9n });
  demand.held(10n, 9_999); // two seconds after the window began at 7,999
  expect(demand).toMatchObject({ peak: 10n, rate: 0n });
});

test('the demand of a second counts in the next one, and no longer than that', () => {
  const demand = new Demand(new LeaseFigureRows().next(), 0);
  demand.held(70n, 0);
  demand.charged(12n);
  demand.held(1n, 1_000);
  expect(demand).toMatchObject({ peak: 70n, rate: 12n });
  demand.held(2n, 2_000);
  expect(demand).toMatchObject({ peak: 2n, rate: 0n });
});
