import type { ReactNode } from 'react';
import type { RefusalJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { capitalized } from '../../format/capitalized.ts';
import { formatNumberOf } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { paths } from '../../paths.ts';
import { type DefinitionItems, DefinitionList } from '../../ui/definition-list.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { RefusalFix } from './refusal-fix.tsx';
import { RefusalLevels } from './refusal-levels.tsx';
import { REFUSAL_WORDS } from './refusal-words.ts';

const RATE_WORDS = {
  requests: { one: 'request a minute', many: 'requests a minute' },
  tokens: { one: 'token a minute', many: 'tokens a minute' },
  concurrency: { one: 'request at the same time', many: 'requests at the same time' },
} as const;

/** Why a request was refused, and what changes that. */
export function RefusalView({ refusal }: { readonly refusal: RefusalJson }): ReactNode {
  const { code, shortage, rate_limit: rate } = refusal;
  const words = REFUSAL_WORDS[code];
  return (
    <>
      <div className="mb-6">
        <p className="text-section font-semibold">{words.long}</p>
        <p className="mt-1 text-control text-text-2">
          It reached no provider and was charged nothing.{' '}
          {rate === null
            ? ''
            : `The project may have ${formatNumberOf(rate.most, RATE_WORDS[rate.limit].one, RATE_WORDS[rate.limit].many)}.`}
          {shortage?.transient === true
            ? 'Only what other requests held was in the way: the same request may pass once they are over.'
            : ''}
        </p>
      </div>
      {shortage !== null && (
        <Section title="What it needed">
          <RefusalLevels shortage={shortage} names={refusal} />
        </Section>
      )}
      <Section title="What helps">
        <RefusalFix refusal={refusal} />
      </Section>
      <Section title="About this request">
        <DefinitionList items={factsOf(refusal)} />
      </Section>
    </>
  );
}

function factsOf(refusal: RefusalJson): DefinitionItems {
  const { workspace_id: workspace, model, param, endpoint, retry_after_ms: retry } = refusal;
  return [
    {
      term: 'Refused with',
      value: (
        <StatusWord status="closed">
          {refusal.status} <code className="font-mono text-meta">{refusal.code}</code>
        </StatusWord>
      ),
    },
    model !== null && { term: 'Model', value: model },
    param !== null && { term: 'Field at fault', value: <code className="font-mono">{param}</code> },
    {
      term: 'Key',
      value: <TextLink href={paths.key(workspace, refusal.key_id)}>{refusal.key_name}</TextLink>,
    },
    {
      term: 'Project',
      value: <TextLink href={paths.project(workspace, refusal.project_id)}>{refusal.project_name}</TextLink>,
    },
    endpoint !== null && { term: 'API', value: capitalized(endpoint.replaceAll('_', ' ')) },
    { term: 'Refused', value: <Timestamp at={refusal.refused_at} /> },
    retry !== null && { term: 'Worth a retry after', value: formatDuration(retry) },
  ];
}
