import { type ReactNode, useState } from 'react';
import { DIALECTS, OUTCOMES } from '../../../../src/domain/receipt.ts';
import { DIALECT_WORDS } from '../../components/dialect-words.ts';
import { NameFilter } from '../../components/name-filter.tsx';
import { DayRangeInput, daysOf, TIME_OPTIONS } from '../../components/time-choice.tsx';
import { readMoney } from '../../format/money-entry.ts';
import { Chip } from '../../ui/chip.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { REFUSAL_WORDS } from './refusal-words.ts';
import type { RequestSearch, TimeWindow } from './request-search.ts';
import type { useRequestSearch } from './use-request-search.ts';

type Place = ReturnType<typeof useRequestSearch>;

interface RequestFiltersProps {
  readonly place: Place;
  readonly time: TimeWindow;
}

const REASONS: readonly Option[] = Object.entries(REFUSAL_WORDS).map(([value, { short }]) => ({ value, label: short }));
const NO_FILTER = {
  outcome: undefined,
  model: undefined,
  key: undefined,
  project: undefined,
  dialect: undefined,
  session: undefined,
  min_charge: undefined,
  code: undefined,
  since: undefined,
  until: undefined,
} as const satisfies RequestSearch;

/** What served requests are chosen by. */
export function ServedFilters({ place, time }: RequestFiltersProps): ReactNode {
  const { search, change } = place;
  return (
    <FilterBar label="Filter requests" onClear={clearing(place)}>
      <TimeFilter place={place} time={time} />
      <FilterSelect
        label="Outcome"
        all="All outcomes"
        value={search.outcome}
        onChange={(outcome) => change({ outcome })}
        options={OUTCOMES.map((value) => ({ value, label: value }))}
      />
      <NameFilters place={place} time={time} />
      <FilterSelect
        label="API"
        all="All APIs"
        value={search.dialect}
        onChange={(dialect) => change({ dialect })}
        options={DIALECTS.map((value) => ({ value, label: DIALECT_WORDS[value] }))}
      />
      <ChargeFilter key={search.min_charge ?? ''} place={place} />
      {search.session !== undefined && (
        <Chip onRemove={() => change({ session: undefined })} removeLabel="Remove the filter by session">
          {`Session ${search.session}`}
        </Chip>
      )}
    </FilterBar>
  );
}

/** What refused requests are chosen by. At most 1,000 are kept, so there is no time to choose. */
export function RefusedFilters({ place, time }: RequestFiltersProps): ReactNode {
  const { search, change } = place;
  return (
    <FilterBar label="Filter refused requests" onClear={clearing(place)}>
      <FilterSelect
        label="Reason"
        all="All reasons"
        value={search.code}
        onChange={(code) => change({ code })}
        options={REASONS}
      />
      <NameFilters place={place} time={time} />
    </FilterBar>
  );
}

function clearing({ search, change }: Place): (() => void) | null {
  const isFiltered = Object.keys(NO_FILTER).some((name) => search[name as keyof typeof NO_FILTER] !== undefined);
  return isFiltered ? () => change(NO_FILTER) : null;
}

function TimeFilter({ place: { change }, time }: RequestFiltersProps): ReactNode {
  const choose = (chosen: Pick<RequestSearch, 'range' | 'from' | 'to'>): void =>
    change({ range: undefined, from: undefined, to: undefined, since: undefined, until: undefined, ...chosen });
  return (
    <>
      <Select
        aria-label="Time"
        value={time.range ?? 'days'}
        onChange={(value) => choose(value === 'days' ? daysOf(time) : { range: value })}
        options={TIME_OPTIONS}
      />
      {time.range === null && <DayRangeInput shown={time} onChange={choose} />}
    </>
  );
}

function NameFilters({ place: { workspace, search, change }, time }: RequestFiltersProps): ReactNode {
  const from = new Date(time.fromMs).toISOString();
  const to = time.isOpen ? undefined : new Date(time.toMs).toISOString();
  return (['model', 'key', 'project'] as const).map((of) => (
    <NameFilter
      key={of}
      workspace={workspace}
      of={of}
      time={{ from, to }}
      shown
      chosen={search[of]}
      onChange={(chosen) => change({ [of]: chosen })}
    />
  ));
}

/** Only what cost as much or more: it takes effect by Enter, or when the field is left. */
function ChargeFilter({ place: { search, change } }: Pick<RequestFiltersProps, 'place'>): ReactNode {
  const [typed, setTyped] = useState(search.min_charge ?? '');
  const apply = (text: string): void => {
    const entry = readMoney(text);
    const charge = text.trim() === '' ? undefined : entry.ok ? entry.usd : search.min_charge;
    if (charge !== search.min_charge) change({ min_charge: charge });
  };
  return (
    <MoneyInput
      aria-label="Cost above, in USD"
      className="w-36"
      placeholder="Cost above"
      mayBeEmpty
      value={typed}
      onChange={setTyped}
      onBlur={() => apply(typed)}
      onKeyDown={(event) => event.key === 'Enter' && apply(typed)}
    />
  );
}
