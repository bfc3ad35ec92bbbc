import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { modelQuery } from '../../api/models.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { Snippets } from '../../components/snippets.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ModelAccess } from './model-access.tsx';
import { ModelFacts } from './model-facts.tsx';
import { PriceHistory } from './price-history.tsx';
import { PriceTable } from './price-table.tsx';
import { adjustmentWords } from './price-words.ts';

const route = getRouteApi('/in/workspaces/$workspace/models/$');

export function ModelPage(): ReactNode {
  const { workspace, _splat: id = '' } = route.useParams();
  const { data: model, error, refetch } = useQuery(modelQuery(workspace, id));
  const retry = (): void => void refetch();
  return (
    <Page
      title={model?.id ?? id}
      answers={model && standingOf(model)}
      actions={
        model?.on_sale === true &&
        model.kind === 'chat' && (
          <a href={paths.playground(workspace, { model: model.id })} className={buttonClass('primary')}>
            Open in playground
          </a>
        )
      }
    >
      <ProblemPanel error={error} onRetry={retry} back={{ label: 'See all models', href: paths.models(workspace) }} />
      {model === undefined ? (
        error === null && <Skeleton className="w-80" />
      ) : (
        <LoadedModel workspace={workspace} model={model} />
      )}
    </Page>
  );
}

/** Whether the model can be called, in a sentence. */
function standingOf({ on_sale: isOnSale, retired_at: retiredAt }: ModelJson): string {
  if (isOnSale) return 'What it costs you, and how to call it.';
  return retiredAt === null
    ? 'No provider serves this model now: requests for it are refused.'
    : 'This model is no longer on sale: requests for it are refused.';
}

function LoadedModel({ workspace, model }: { readonly workspace: string; readonly model: ModelJson }): ReactNode {
  const adjustment = adjustmentWords(model.price);
  const unit = `USD per million tokens${model.price.fees.length === 0 ? '' : ', and fees for each use'}`;
  return (
    <>
      <Section
        title={model.retired_at === null ? 'Price' : 'Last price'}
        lead={`${unit}${adjustment === null ? '' : `: ${adjustment}, for this workspace`}.`}
      >
        <PriceTable model={model} />
      </Section>
      <Section title="About this model">
        <ModelFacts model={model} />
      </Section>
      {model.on_sale && (
        <Section title="Call it">
          <Snippets model={model} apiKey={null} />
        </Section>
      )}
      <Section title="Which projects may call it" lead="A key may be limited to fewer models than its project.">
        <ModelAccess workspace={workspace} model={model.id} />
      </Section>
      <Section title="Price history" lead="Each request is charged at the price of the moment at which it began.">
        <PriceHistory history={model.history} />
      </Section>
    </>
  );
}
