import type { ReactNode } from 'react';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { formatTokens } from '../../format/count.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { capabilitiesOf, CAPABILITY_WORDS } from './model-list.ts';

/** What is known of a model besides its price. */
export function ModelFacts({ model }: { readonly model: ModelJson }): ReactNode {
  const { id, kind, context_window: context, max_output: output, media } = model;
  const capabilities = capabilitiesOf(model);
  const items: readonly (Definition | null)[] = [
    { term: 'Status', value: <State model={model} /> },
    { term: 'Kind', value: kind },
    { term: 'Context window', value: `${formatTokens(context)}, input and output together` },
    output === 0 ? null : { term: 'Max output', value: formatTokens(output) },
    capabilities.length === 0
      ? null
      : {
          term: 'Capabilities',
          value: (
            <span className="inline-flex flex-wrap gap-1">
              {capabilities.map((capability) => (
                <Tag key={capability}>{CAPABILITY_WORDS[capability]}</Tag>
              ))}
            </span>
          ),
        },
    mediaFact('Image', media.image_tokens),
    mediaFact('Audio', media.audio_tokens),
    mediaFact('File', media.file_tokens),
    {
      term: 'Id',
      value: (
        <span className="inline-flex items-center gap-1">
          <code className="font-mono">{id}</code>
          <CopyButton text={id} label="Copy model id" />
        </span>
      ),
    },
  ];
  return <DefinitionList items={items.filter((item) => item !== null)} />;
}

function mediaFact(piece: string, tokens: number | null): Definition | null {
  return tokens === null || tokens === 0 ? null : { term: `${piece} counts`, value: `at most ${formatTokens(tokens)}` };
}

function State({ model: { on_sale: isOnSale, retired_at: retiredAt } }: { readonly model: ModelJson }): ReactNode {
  if (isOnSale) return <StatusWord status="open">on sale</StatusWord>;
  if (retiredAt === null) return <StatusWord status="closed">has no route</StatusWord>;
  return (
    <StatusWord status="off">
      off sale since <Timestamp at={retiredAt} />
    </StatusWord>
  );
}
