import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { catalogueQuery } from '../../api/catalogue.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Section } from '../../ui/section.tsx';
import { priceColumns } from './price-columns.tsx';
import { PriceHistory } from './price-history.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

const route = getRouteApi('/in/operators/operator/prices');

export function PricesPage(): ReactNode {
  const { search = '', model: opened, apply } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(catalogueQuery);
  const change = (
    given: { search?: string | undefined; model?: undefined; apply?: 'true' | undefined },
    replace = true,
  ) => void navigate({ search: (former) => ({ ...former, ...given }), replace });
  const typed = search.trim().toLowerCase();
  const rows = query.data?.data.filter(({ id }) => id.toLowerCase().includes(typed));
  const shown = query.data?.data.find(({ id }) => id === opened);
  return (
    <Page title="Prices" answers="What each model costs callers, beside what its providers ask.">
      <WaitingChanges
        isApplying={apply === 'true'}
        onApply={(isApplying) => change({ apply: isApplying ? 'true' : undefined }, !isApplying)}
      />
      <Section title="List prices" lead="For a million tokens. A new price is a new version; receipts keep theirs.">
        <SearchInput
          className="mb-4 w-64 max-sm:w-full"
          label="Search models"
          value={search}
          onChange={(text) => change({ search: text === '' ? undefined : text })}
        />
        <QueryTable
          query={query}
          label="Prices"
          columns={priceColumns(rows ?? [])}
          rows={rows}
          href={({ id }) => paths.operatorPrices({ search, model: id })}
          selectedKey={opened}
          moveByKeys
          empty={
            search === '' ? (
              <EmptyState
                cause="No model has ever been on sale."
                detail="Add models to the config file; they are on sale once it is read again."
              />
            ) : (
              <EmptyState cause={`No model here has "${search}" in its id.`} />
            )
          }
        />
      </Section>
      {shown !== undefined && <PriceHistory model={shown} onClose={() => change({ model: undefined })} />}
    </Page>
  );
}
