import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { catalogueQuery } from '../../api/catalogue.ts';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { PriceHistory } from './price-history.tsx';
import { priceColumns } from './price-columns.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

const route = getRouteApi('/in/operators/operator/prices');

export function PricesPage(): ReactNode {
  const { search = '', model: opened, apply } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(catalogueQuery);
  const change = (
    given: { search?: string | undefined; model?: undefined; apply?: 'true' | undefined },
    replace = true,
  ) => void navigate({ search: (former) => ({ ...former, ...given }), replace });
  const typed = search.trim().toLowerCase();
  const rows = data?.data.filter(({ id }) => id.toLowerCase().includes(typed));
  const shown = data?.data.find(({ id }) => id === opened);
  return (
    <Page title="Prices" answers="What each model costs callers, beside what its providers ask.">
      <WaitingChanges
        isApplying={apply === 'true'}
        onApply={(isApplying) => change({ apply: isApplying ? 'true' : undefined }, !isApplying)}
      />
      <Section title="List prices" lead="For a million tokens. A new price is a new version; receipts keep theirs.">
        <div className="mb-4 max-w-80">
          <SearchInput
            label="Search models"
            value={search}
            onChange={(text) => change({ search: text === '' ? undefined : text })}
          />
        </div>
        <Table
          label="Prices"
          columns={priceColumns(rows ?? [])}
          rows={rows}
          rowKey={({ id }) => id}
          href={({ id }) => paths.operatorPrices({ search, model: id })}
          onNavigate={(href) => void navigate({ href })}
          selectedKey={opened}
          moveByKeys
          error={problemFrom(error)}
          onRetry={() => void refetch()}
          empty={
            <EmptyState
              cause={search === '' ? 'No model has ever been on sale.' : `No model here has "${search}" in its id.`}
              detail={
                search === '' ? 'Add models to the config file; they are on sale once it is read again.' : undefined
              }
            />
          }
        />
      </Section>
      {shown !== undefined && <PriceHistory model={shown} onClose={() => change({ model: undefined })} />}
    </Page>
  );
}
