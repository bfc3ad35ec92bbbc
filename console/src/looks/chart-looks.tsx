import { type ReactNode, useState } from 'react';
import { type BarRange, Histogram } from '../charts/histogram.tsx';
import { OTHER } from '../charts/series.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import type { Bar } from '../charts/stack.ts';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { Waterfall } from '../charts/waterfall.tsx';
import { formatCount, formatCountShort } from '../format/count.ts';
import { daysBetween, formatDay } from '../format/day.ts';
import { formatMoney, formatMoneyTicks } from '../format/money.ts';
import { Section } from '../ui/section.tsx';

const MODELS = [
  'openai/gpt-5',
  'anthropic/claude-opus-4.5',
  'google/gemini-3-pro-preview-long',
  'mistral/large',
  'qwen/qwen3',
  OTHER,
];
const SERIES = MODELS.map((id) => ({ id, label: id }));
const DAYS = daysBetween('2026-10-24', '2026-11-22');

/** Amounts that differ and are the same each time. */
const amount = (day: number, model: number): string =>
  `${Math.round(((Math.sin(day * 1.3 + model * 2) + 1.4) * 4_000_000_000) / (model + 1))}`;

const BARS: readonly Bar[] = DAYS.map((day, index) => ({
  id: day,
  label: formatDay(day),
  unfinished: index === DAYS.length - 1,
  values: index === 9 ? null : Object.fromEntries(MODELS.map((model, at) => [model, amount(index, at)])),
}));
const PREVIOUS = DAYS.map((_, index) => (index === 4 ? null : amount(index + 7, -0.7)));

const OUTCOMES = [
  { id: 'completed', label: 'completed', role: 'accent' },
  { id: 'refused', label: 'refused', role: 'danger' },
] as const;
const HOURS: readonly Bar[] = Array.from({ length: 48 }, (_, hour) => ({
  id: `${hour}`,
  label: `${hour % 24}:00`,
  values: {
    completed: BigInt(Math.round((Math.sin(hour / 4) + 1.2) * 400)),
    refused: hour === 30 ? 320n : BigInt(hour % 7),
  },
}));

export function ChartLooks(): ReactNode {
  const [range, setRange] = useState<BarRange | null>(null);
  return (
    <>
      <Section title="Usage">
        <StackedBars
          label="Charge by day and model"
          lead="$412.08 in 30 days, UTC"
          barHeader="Day (UTC)"
          bars={BARS}
          series={SERIES}
          previous={PREVIOUS}
          format={formatMoney}
          formatAxis={formatMoneyTicks}
        />
      </Section>
      <Section title="Requests">
        <Histogram
          label="Requests by hour"
          barHeader="Hour (UTC)"
          bars={HOURS}
          series={OUTCOMES}
          format={formatCount}
          selected={range}
          onSelect={setRange}
        />
        <p className="mt-2 text-control">
          {range === null ? 'All hours' : `From ${range.from} to ${range.to}`} {formatCountShort(1_240_000)}{' '}
          <Sparkline label="Requests by day" values={[3, 5, 4, null, 8, 9, 2, 7, 12]} />
        </p>
      </Section>
      <Section title="Attempts">
        <Waterfall
          label="Attempts"
          rows={[
            {
              id: '1',
              label: 'openai-eu',
              status: 'closed',
              outcome: '503',
              detail: 'The upstream is overloaded.',
              parts: [{ label: 'waiting', startMs: 0, ms: 310, tone: 'danger' }],
            },
            {
              id: '2',
              label: 'azure-west-europe-secondary-deployment',
              status: 'open',
              outcome: '200',
              parts: [
                { label: 'waiting', startMs: 330, ms: 280, tone: 'quiet' },
                { label: 'streaming', startMs: 610, ms: 630, tone: 'accent' },
              ],
            },
          ]}
        />
      </Section>
    </>
  );
}
