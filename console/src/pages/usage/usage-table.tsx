import { type ReactNode, useMemo } from 'react';
import type { UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import type { AnsweredUsage } from '../../api/usage.ts';
import { colorsOf, OTHER, type Series } from '../../charts/series.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import type { TimeSlot } from '../../components/time-slots.ts';
import { byMeasure, courseOf, netCharge, usageBars } from '../../components/usage-bars.ts';
import { formatShare } from '../../format/count.ts';
import { decimalsOf } from '../../format/money.ts';
import { Count } from '../../ui/count.tsx';
import { Money } from '../../ui/money.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Table } from '../../ui/table.tsx';
import {
  groupHref,
  groupId,
  groupingsInSentence,
  groupingWords,
  groupName,
  MEASURE_WORDS,
  seriesOf,
  tokensOf,
  type UsageGroup,
} from './usage-groups.ts';
import type { AskedUsage, MeasureName } from './usage-search.ts';

/** A group, or all that are not named. */
interface Row {
  readonly id: string;
  readonly name: string;
  readonly total: UsageSumsJson;
  readonly before: UsageSumsJson | null;
  /** Null for those that are not named. */
  readonly group: UsageGroup | null;
}

interface UsageTableProps {
  readonly workspace: string;
  readonly answer: AnsweredUsage<AskedUsage>;
  readonly measure: MeasureName;
  readonly slots: readonly TimeSlot[];
  readonly loading: boolean;
  readonly empty: ReactNode;
  readonly onNavigate: (href: string) => void;
}

/** The same as the chart, group by group. */
export function UsageTable(props: UsageTableProps): ReactNode {
  const { workspace, answer, measure, slots, loading, empty, onNavigate } = props;
  const { question, usage } = answer;
  const { of } = MEASURE_WORDS[measure];
  const rows = useMemo((): readonly Row[] => {
    const named = byMeasure(usage, of).map((group) => ({
      id: groupId(group),
      name: groupName(group, question),
      total: group.total,
      before: group.before,
      group,
    }));
    return usage.others.requests === 0
      ? named
      : [...named, { id: '\0others', name: 'other', total: usage.others, before: null, group: null }];
  }, [usage, of, question]);
  const columns = useMemo(() => columnsOf(answer, rows, measure, slots), [answer, rows, measure, slots]);
  return (
    <Table
      label={`Usage by ${groupingsInSentence(question)}`}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ group }) => (group === null ? undefined : groupHref(workspace, group, question))}
      onNavigate={onNavigate}
      moveByKeys
      loading={loading}
      empty={empty}
    />
  );
}

function columnsOf(
  { question, usage }: AnsweredUsage<AskedUsage>,
  rows: readonly Row[],
  measure: MeasureName,
  slots: readonly TimeSlot[],
): readonly Column<Row>[] {
  const { of, label } = MEASURE_WORDS[measure];
  const { series } = usageBars(usage, slots, { measure: of, seriesOf: (group) => seriesOf(group, question) });
  const colors = colorsOf(series);
  const whole = of(usage.total);
  const decimals = decimalsOf([...rows.map(({ total }) => netCharge(total)), netCharge(usage.total)]);
  const amount = (sums: UsageSumsJson, room = decimals): ReactNode =>
    measure === 'charge' ? <Money amount={of(sums)} decimals={room} /> : <Count count={of(sums)} />;
  const before: Column<Row> = {
    id: 'before',
    header: `${label} before`,
    align: 'end',
    from: 'md',
    cell: (row) => (row.before === null ? <span className="text-text-3">not added up</span> : amount(row.before, 2)),
    total: usage.before === null ? undefined : amount(usage.before, 2),
  };
  return [
    {
      id: 'group',
      header: groupingWords(question).join(' · '),
      grow: true,
      cell: ({ id, name, group }) => (
        <>
          <Swatch series={series} colors={colors} id={group === null ? OTHER : id} />
          {name}
        </>
      ),
      total: 'Total',
    },
    {
      id: 'course',
      header: 'Trend',
      // What was charged before takes its place on smaller screens.
      from: usage.before === null ? 'lg' : 'xl',
      cell: ({ name, group }) => group && <Trend name={name} group={group} measure={measure} slots={slots} />,
    },
    {
      id: 'requests',
      header: 'Requests',
      align: 'end',
      cell: ({ total }) => <Count count={total.requests} />,
      total: <Count count={usage.total.requests} />,
    },
    {
      id: 'tokens',
      header: 'Tokens',
      align: 'end',
      cell: ({ total }) => <Count count={tokensOf(total)} />,
      total: <Count count={tokensOf(usage.total)} />,
    },
    {
      id: 'charge',
      header: 'Charge',
      align: 'end',
      cell: ({ total }) => <Money amount={netCharge(total)} decimals={decimals} />,
      total: <Money amount={netCharge(usage.total)} decimals={decimals} />,
    },
    ...(usage.before === null ? [] : [before]),
    {
      id: 'share',
      header: `Share of ${label.toLowerCase()}`,
      align: 'end',
      cell: ({ total }) => formatShare(of(total), whole),
      total: formatShare(whole, whole),
    },
  ];
}

interface SwatchProps {
  readonly series: readonly Series[];
  readonly colors: ReadonlyMap<string, string>;
  readonly id: string;
}

/** The colour that a group has in the chart: its own, or that of all others. */
function Swatch({ series, colors, id }: SwatchProps): ReactNode {
  const own = series.some((one) => one.id === id) ? id : OTHER;
  return (
    <svg viewBox="0 0 8 8" className="mr-2 inline-block size-2" aria-hidden="true">
      <rect width="8" height="8" fill={colors.get(own)} />
    </svg>
  );
}

interface TrendProps {
  readonly name: string;
  readonly group: UsageGroup;
  readonly measure: MeasureName;
  readonly slots: readonly TimeSlot[];
}

function Trend({ name, group, measure, slots }: TrendProps): ReactNode {
  const { label, of } = MEASURE_WORDS[measure];
  const course = courseOf(group.points, of);
  return (
    <Sparkline label={`${label} of ${name} over time`} values={slots.map(({ id }) => Number(course.get(id) ?? 0n))} />
  );
}
