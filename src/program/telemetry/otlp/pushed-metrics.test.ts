import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { type KeptMetric, pushedMetrics } from './pushed-metrics.ts';

const SPAN = { startTime: [1, 0], endTime: [61, 0] } satisfies Parameters<typeof pushedMetrics>[1];

test('counters, gauges and histograms keep their names, labels and numbers when they are pushed', async () => {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: 'r', labelNames: ['code'], registers }).inc({ code: 'A' }, 3);
  new Gauge({ name: 'open', help: 'o', registers }).set(7);
  const seconds = new Histogram({ name: 'seconds', help: 's', labelNames: ['p'], buckets: [1, 2], registers });
  for (const value of [0.5, 1.5, 1.5, 9]) seconds.observe({ p: 'x' }, value);
  const pushed = pushedMetrics((await registry.getMetricsAsJSON()) as unknown as KeptMetric[], SPAN);
  expect(pushed).toMatchObject([
    {
      descriptor: { name: 'requests_total', description: 'r' },
      isMonotonic: true,
      aggregationTemporality: 1,
      dataPoints: [{ ...SPAN, attributes: { code: 'A' }, value: 3 }],
    },
    { descriptor: { name: 'open' }, dataPoints: [{ attributes: {}, value: 7 }] },
    {
      descriptor: { name: 'seconds' },
      dataPoints: [
        {
          attributes: { p: 'x' },
          value: { buckets: { boundaries: [1, 2], counts: [1, 2, 1] }, sum: 12.5, count: 4 },
        },
      ],
    },
  ]);
});
