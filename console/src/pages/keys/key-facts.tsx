import type { ReactNode } from 'react';
import type { KeyJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { KeyStatus } from '../../components/key-status.tsx';
import { paths } from '../../paths.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Money } from '../../ui/money.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** What was decided about a key, and what is known of it. */
export function KeyFacts({ apiKey }: { readonly apiKey: KeyJson }): ReactNode {
  const notes = Object.entries(apiKey.metadata);
  return (
    <DefinitionList
      items={[
        { term: 'Status', value: <KeyStatus apiKey={apiKey} /> },
        {
          term: 'Key',
          value: apiKey.kind === 'console' ? 'for the playground, without a secret' : <Code text={apiKey.masked_key} />,
        },
        {
          term: 'Project',
          value: (
            <a href={paths.project(apiKey.workspace_id, apiKey.project_id)} className="underline underline-offset-2">
              {apiKey.project_name}
            </a>
          ),
        },
        { term: 'Owner', value: apiKey.created_by_name ?? 'operator' },
        { term: 'Limit a month', value: <Money amount={apiKey.spend_limit_nano_usd} /> },
        { term: 'Models', value: apiKey.models === null ? 'all that its project allows' : apiKey.models.join(', ') },
        { term: 'Expires', value: <Timestamp at={apiKey.expires_at} /> },
        { term: 'Last used', value: <Timestamp at={apiKey.last_used_at} /> },
        { term: 'Created', value: <Timestamp at={apiKey.created_at} /> },
        ...(apiKey.disabled_at === null ? [] : [{ term: 'Disabled', value: <Timestamp at={apiKey.disabled_at} /> }]),
        ...(apiKey.revoked_at === null ? [] : [{ term: 'Revoked', value: <Timestamp at={apiKey.revoked_at} /> }]),
        ...(notes.length === 0
          ? []
          : [{ term: 'Metadata', value: notes.map(([name, value]) => `${name}=${value}`).join(', ') }]),
        {
          term: 'Id',
          value: (
            <span className="inline-flex items-center gap-1">
              <Code text={apiKey.id} />
              <CopyButton text={apiKey.id} label="Copy key id" />
            </span>
          ),
        },
      ]}
    />
  );
}

function Code({ text }: { readonly text: string }): ReactNode {
  return <code className="font-mono">{text}</code>;
}
