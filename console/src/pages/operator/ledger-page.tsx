import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lastProofQuery, proveLedger } from '../../api/ledger.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { instanceCommand } from '../../components/instance-command.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { announce } from '../../ui/announcements.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { ProofResult } from './proof-result.tsx';

export function LedgerPage(): ReactNode {
  const queries = useQueryClient();
  const { data: proof = null } = useQuery(lastProofQuery);
  const { mutate, error, isPending } = useMutation({
    mutationFn: proveLedger,
    onSuccess: (made) => {
      queries.setQueryData(lastProofQuery.queryKey, made);
      announce(made.report.ok ? 'The ledger is proven.' : 'The ledger has differences.');
      void queries.invalidateQueries({ queryKey: ['operator', 'status'] });
    },
  });
  return (
    <Page
      title="Ledger"
      answers="Whether any money was made or lost."
      actions={
        <Button kind="primary" busy={isPending} onClick={() => mutate()}>
          Verify ledger
        </Button>
      }
    >
      <Section title="Proof" lead="It adds up all postings, receipts and purses as of one moment.">
        <div className="flex flex-col gap-6">
          <ProblemPanel error={error} onRetry={() => mutate()} />
          {proof === null ? <NoProof isPending={isPending} /> : <ProofResult proof={proof} />}
          <CommandLine command={instanceCommand.verify()} />
        </div>
      </Section>
    </Page>
  );
}

function NoProof({ isPending }: { readonly isPending: boolean }): ReactNode {
  return isPending ? (
    <EmptyState
      cause="The proof is being made."
      detail="A long ledger takes minutes. Requests are served while it runs, and you can leave this page."
    />
  ) : (
    <EmptyState
      cause="You have made no proof since you opened the console."
      detail="The instance makes one each night, and reports differences among its problems."
    />
  );
}
