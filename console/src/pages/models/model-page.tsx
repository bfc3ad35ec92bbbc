import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { allowsModel, matchesModel } from '../../../../src/domain/policy.ts';
import { modelQuery } from '../../api/models.ts';
import { projectsQuery } from '../../api/projects.ts';
import { ListTable } from '../../components/list-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Snippets } from '../../components/snippets.tsx';
import { formatTokens } from '../../format/count.ts';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Copied } from '../../ui/copied.tsx';
import { type Definition, type DefinitionItems, DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Tag } from '../../ui/tag.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { capabilitiesOf, CAPABILITY_WORDS } from './model-list.ts';
import { PriceHistory } from './price-history.tsx';
import { PriceTable } from './price-table.tsx';
import { adjustmentWords } from './price-words.ts';

const route = getRouteApi('/in/workspaces/$workspace/models/$');

export function ModelPage(): ReactNode {
  const { workspace, _splat: id = '' } = route.useParams();
  const query = useQuery(modelQuery(workspace, id));
  const model = query.data;
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
      <Loaded query={query} back={{ label: 'See all models', href: paths.models(workspace) }}>
        {(loaded) => <LoadedModel workspace={workspace} model={loaded} />}
      </Loaded>
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

/** What is known of a model besides its price. */
function ModelFacts({ model }: { readonly model: ModelJson }): ReactNode {
  const { id, kind, context_window: context, max_output: output, media } = model;
  const capabilities = capabilitiesOf(model);
  const items: DefinitionItems = [
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
    { term: 'Id', value: <Copied text={id} label="Copy model id" /> },
  ];
  return <DefinitionList items={items} />;
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

/** For each project, whether its policy allows the model, and by which entry. */
function ModelAccess({ workspace, model }: { readonly workspace: string; readonly model: string }): ReactNode {
  const hidesKeys = useUnavailable(workspace, 'keys:read', 'see keys') !== null;
  const projects = useInfiniteQuery(projectsQuery(workspace, { archived: false, search: '' }));
  return (
    <ListTable
      list={projects}
      label="Which projects may call it"
      columns={accessColumns(model, hidesKeys)}
      href={({ id }) => paths.project(workspace, id)}
      expectedRows={3}
      empty={
        <EmptyState cause="There is no project yet." detail="Programs call models with a key, which a project has." />
      }
    />
  );
}

function accessColumns(model: string, hidesKeys: boolean): readonly Column<ProjectJson>[] {
  const columns: readonly (Column<ProjectJson> | null)[] = [
    { id: 'project', header: 'Project', grow: true, cell: ({ name }) => name },
    { id: 'may', header: 'May call it', cell: ({ models }) => <MayCall isAllowed={allowsModel([models], model)} /> },
    { id: 'why', header: 'Because it allows', from: 'md', cell: ({ models }) => reasonOf(models, model) },
    hidesKeys
      ? null
      : {
          id: 'keys',
          header: 'Keys',
          hideHeader: true,
          align: 'end',
          cell: ({ id, name, workspace_id: workspace }) => (
            <TextLink href={paths.keys(workspace, { project: id })} aria-label={`Keys of ${name}`}>
              keys
            </TextLink>
          ),
        },
  ];
  return columns.filter((column) => column !== null);
}

function MayCall({ isAllowed }: { readonly isAllowed: boolean }): ReactNode {
  return isAllowed ? <StatusWord status="open">yes</StatusWord> : <StatusWord status="off">no</StatusWord>;
}

function reasonOf(models: ProjectJson['models'], model: string): string {
  if (models === null) return 'all models';
  return models.find((entry) => matchesModel(entry, model)) ?? 'only others';
}
