import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type MadeProof, proofsQuery, proveLedger, reportQuery } from '../../api/ledger.ts';
import { Page } from '../../components/page.tsx';
import { announce } from '../../ui/announcements.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Corrections } from './corrections.tsx';
import { LedgerExport } from './ledger-export.tsx';
import { Proofs } from './proofs.tsx';
import { Seals } from './seals.tsx';

const route = getRouteApi('/in/operators/operator/ledger');

const TABS = [
  { id: 'proofs', label: 'Proofs' },
  { id: 'seals', label: 'Seals' },
  { id: 'corrections', label: 'Corrections' },
  { id: 'export', label: 'Export' },
] as const;

const CONTENT = { seals: Seals, corrections: Corrections, export: LedgerExport } as const;

export function LedgerPage(): ReactNode {
  const queries = useQueryClient();
  const { tab = 'proofs' } = route.useSearch();
  const navigate = route.useNavigate();
  const proof = useMutation({
    mutationFn: proveLedger,
    onMutate: () => {
      // Its progress is there once it has begun.
      setTimeout(() => void queries.invalidateQueries({ queryKey: proofsQuery.queryKey }), BEGUN_MS);
    },
    onSuccess: async (report) => {
      // An answer that is under way may be older than the proof.
      await queries.cancelQueries({ queryKey: proofsQuery.queryKey });
      const [made] = (await queries.query(proofsQuery)).data;
      const known: MadeProof | null = made === undefined ? null : { proof: made.id, report };
      queries.setQueryData(reportQuery.queryKey, known);
      announce(report.ok ? 'The ledger is proven.' : 'The ledger has differences.');
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: proofsQuery.queryKey });
      await queries.invalidateQueries({ queryKey: ['operator', 'status'] });
    },
  });
  const Content = tab === 'proofs' ? null : CONTENT[tab];
  return (
    <Page
      title="Ledger"
      answers="Whether any money was made or lost, and what is on record of it."
      actions={
        <Button kind="primary" busy={proof.isPending} onClick={() => proof.mutate()}>
          Verify ledger
        </Button>
      }
    >
      <Tabs
        label="Records"
        tabs={TABS}
        selected={tab}
        onSelect={(chosen) => void navigate({ search: { tab: chosen === 'proofs' ? undefined : chosen } })}
      >
        {Content === null ? (
          <Proofs isAsked={proof.isPending} error={proof.error} onVerify={() => proof.mutate()} />
        ) : (
          <Content />
        )}
      </Tabs>
    </Page>
  );
}

const BEGUN_MS = 300;
