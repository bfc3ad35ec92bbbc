import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';

// Metrics as prom-client keeps them, in the form of OpenTelemetry: counters become sums since the start, and names, labels and
// buckets stay as they are.

/** A metric of prom-client's registry. */
export interface KeptMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    /** The name of its line, if that differs: `…_bucket`, `…_sum`, `…_count`. */
    readonly metricName?: string;
  }[];
}

/** When the process has started to count, and now. */
interface Span {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** The metrics in the form of OpenTelemetry. */
export function pushedMetrics(kept: readonly KeptMetric[], span: Span): MetricData[] {
  return kept.flatMap((metric): MetricData[] => {
    const { name, help: description, type, values } = metric;
    const basics = {
      descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const points = (): DataPoint<number>[] =>
      values.map(({ value, labels: attributes }) => ({ ...span, attributes: { ...attributes }, value }));
    switch (type) {
      case 'counter':
        return [{ ...basics, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }];
      case 'gauge':
        return [{ ...basics, dataPointType: DataPointType.GAUGE, dataPoints: points() }];
      case 'histogram':
        return [{ ...basics, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, span) }];
      default:
        return [];
    }
  });
}

/** One point for each set of labels. */
function histograms({ name, values }: KeptMetric, span: Span): DataPoint<Histogram>[] {
  const bySeries = Map.groupBy(values, ({ labels }) => JSON.stringify(withoutBound(labels)));
  return Array.from(bySeries.values(), (series) => {
    const attributes = withoutBound(series[0]?.labels ?? {});
    const lines = series.filter(({ metricName }) => metricName === `${name}_bucket`);
    const bounded = lines.filter(({ labels }) => labels['le'] !== '+Inf');
    const cumulative = lines.map(({ value }) => value);
    const valueOf = (suffix: string): number =>
      series.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
    return {
      ...span,
      attributes,
      value: {
        buckets: {
          boundaries: bounded.map(({ labels }) => Number(labels['le'])),
          counts: cumulative.map((count, at) => count - (cumulative[at - 1] ?? 0)),
        },
        sum: valueOf('sum'),
        count: valueOf('count'),
      },
    };
  });
}

/** The labels of a series, without the bound of one of its buckets. */
function withoutBound(labels: Readonly<Record<string, string | number>>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== 'le'));
}
