import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkspaceSinkJson } from '../../../../src/control/admin/sinks/sink-contract.ts';
import { sinksQuery } from '../../api/sinks.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { RECORD_WORDS, REDACTION_WORDS } from '../../components/sink-words.ts';
import { SinkUpdate } from '../../forms/sink-update.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** What is delivered to sinks; nothing if the instance has none. */
export function Sinks({ workspace }: { readonly workspace: string }): ReactNode {
  const { data, error, refetch } = useQuery(sinksQuery(workspace));
  if (error === null && (data === undefined || data.data.length === 0)) return null;
  return (
    <Section title="Sinks" lead="Where the operator lets this workspace have its records delivered.">
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      <div className="flex flex-col gap-6">
        {data?.data.map((sink) => (
          <Sink key={sink.name} workspace={workspace} sink={sink} />
        ))}
      </div>
    </Section>
  );
}

function Sink({ workspace, sink }: { readonly workspace: string; readonly sink: WorkspaceSinkJson }): ReactNode {
  const { name, records, sample_percent: percent, redact, lost_records: lost, last_lost_at: lostAt } = sink;
  const hasContent = records.includes('content');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-80">
        <h3 className="mb-2 text-body font-medium">{name}</h3>
        <DefinitionList
          items={[
            { term: 'Delivered', value: records.map((record) => RECORD_WORDS[record]).join(', ') || 'nothing' },
            hasContent && { term: 'Of 100 requests', value: percent },
            hasContent && {
              term: 'Taken out',
              value: redact.map((each) => REDACTION_WORDS[each]).join(', ') || 'nothing',
            },
            lostAt !== null && {
              term: 'Lost',
              value: (
                <>
                  {lost}, last <Timestamp at={lostAt} />
                </>
              ),
            },
          ]}
        />
      </div>
      <SinkUpdate workspace={workspace} sink={sink} />
    </div>
  );
}
