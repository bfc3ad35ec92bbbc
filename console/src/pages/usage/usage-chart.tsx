import { type ReactNode, useMemo } from 'react';
import type { AnsweredUsage } from '../../api/usage.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { bucketMs, type TimeSlot, timeSlots } from '../../components/time-slots.ts';
import { courseOf, usageBars } from '../../components/usage-bars.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { groupingsInSentence, MEASURE_WORDS, seriesOf } from './usage-groups.ts';
import type { AskedUsage, MeasureName } from './usage-search.ts';

interface UsageChartProps {
  readonly answer: AnsweredUsage<AskedUsage>;
  readonly measure: MeasureName;
  readonly nowMs: number;
  readonly onOpen: (bar: string) => void;
}

/** The bars of an answer, before they are counted. */
export function slotsOf({ question, usage }: AnsweredUsage<AskedUsage>, nowMs: number): readonly TimeSlot[] {
  const { bucket } = question;
  return timeSlots({ fromMs: Date.parse(usage.from), toMs: Date.parse(usage.to), bucket }, nowMs);
}

/** Usage over time, a series for each of the largest groups. */
export function UsageChart({ answer, measure, nowMs, onOpen }: UsageChartProps): ReactNode {
  const { question, usage } = answer;
  const { bucket } = question;
  const { label, of, format, formatAxis } = MEASURE_WORDS[measure];
  const slots = useMemo(() => slotsOf(answer, nowMs), [answer, nowMs]);
  const { bars, series } = useMemo(
    () => usageBars(usage, slots, { measure: of, seriesOf: (group) => seriesOf(group, question) }),
    [usage, slots, of, question],
  );
  const previous = useMemo(() => {
    if (usage.before === null) return undefined;
    const course = courseOf(usage.points_before, of);
    const shiftMs = slots.length * bucketMs(bucket);
    return slots.map(({ id }) => course.get(new Date(Date.parse(id) - shiftMs).toISOString()) ?? 0n);
  }, [usage, slots, of, bucket]);
  const written = measure === 'charge' ? formatMoney : formatCount;
  return (
    <StackedBars
      label={`${label} by ${bucket} and ${groupingsInSentence(question)}`}
      lead={
        <>
          {written(of(usage.total))}
          {usage.before !== null && ` against ${written(of(usage.before))} in the previous period, the dashed line`}
        </>
      }
      bars={bars}
      series={series}
      previous={previous}
      format={format}
      formatAxis={formatAxis}
      barHeader={bucket === 'day' ? 'Day (UTC)' : 'Hour (UTC)'}
      opens={{ words: 'Enter shows its requests', onOpen }}
    />
  );
}
