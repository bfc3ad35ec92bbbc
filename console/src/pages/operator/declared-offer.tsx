import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OfferJson } from '../../../../src/control/admin/offer/offer-contract.ts';
import { CATALOGUE_COMMANDS } from '../../../../src/control/operations/catalogue-commands.ts';
import { deleteModel, deleteProvider, offerQuery, reloadOffer } from '../../api/offer.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { commandWords } from '../../components/command-words.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { ConfirmAction, type ConfirmActionProps } from '../../forms/confirm-action.tsx';
import { ModelRoutes } from '../../forms/model-routes.tsx';
import { ModelsSell } from '../../forms/models-sell.tsx';
import { ProviderForm } from '../../forms/provider-form.tsx';
import { paths } from '../../paths.ts';
import { workspaceToOpen } from '../../session/last-workspace.ts';
import { useMe } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';

/** Which form of the page is open. */
export interface OfferSearch {
  readonly add?: 'true' | undefined;
  /** The provider that is changed. */
  readonly change?: string | undefined;
  /** The provider whose models are sold. */
  readonly sell?: string | undefined;
  /** The model that is changed. */
  readonly model?: string | undefined;
  readonly yaml?: 'true' | undefined;
}

type OfferedProvider = OfferJson['providers'][number];
type OfferedModel = OfferJson['models'][number];

export function ProviderAdd({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  return (
    <Button kind="primary" onClick={onAdd}>
      Add provider
    </Button>
  );
}

interface DeclaredProps {
  readonly search: OfferSearch;
  readonly onShow: (search: OfferSearch, replace?: boolean) => void;
}

/** What the config file and the database declare. What is in the file is changed there. */
export function Declared({ search, onShow }: DeclaredProps): ReactNode {
  const query = useQuery(offerQuery);
  const workspace = workspaceToOpen(useMe());
  const { providers, models, yaml } = query.data ?? {};
  const close = (): void => onShow({}, true);
  const changing = providers?.find(({ name, source }) => name === search.change && source === 'database');
  const model = models?.find(({ id, source }) => id === search.model && source === 'database');
  return (
    <>
      <Section
        title="Declared providers"
        lead="In the config file, where they are changed, and in the database. The file’s count first."
        actions={<Button onClick={() => onShow({ yaml: 'true' })}>Show as YAML</Button>}
      >
        <QueryTable
          query={query}
          label="Declared providers"
          columns={providerColumns(onShow)}
          rows={providers}
          rowKey={({ name, source }) => `${source} ${name}`}
          empty={<EmptyState cause="No provider is declared." detail="The sandbox is sold until a model is." />}
        />
      </Section>
      <Section
        title="Declared models"
        lead={
          <>
            Their prices are on the page <TextLink href={paths.operatorPrices()}>Prices</TextLink>, where those of a
            database of your own are applied.
          </>
        }
      >
        <QueryTable
          query={query}
          label="Declared models"
          columns={modelColumns(onShow, workspace)}
          rows={models}
          rowKey={({ id, source }) => `${source} ${id}`}
          empty={<EmptyState cause="No model is declared." detail="Add a provider, and choose some of its models." />}
        />
      </Section>
      <CommandLine className="mt-8" command={commandWords(CATALOGUE_COMMANDS, 'offer show')} />
      {search.add === 'true' && (
        <ProviderForm provider={null} onClose={close} onDone={(sell) => onShow({ sell }, true)} />
      )}
      {changing !== undefined && (
        <ProviderForm provider={changing} onClose={close} onDone={(sell) => onShow({ sell }, true)} />
      )}
      {search.sell !== undefined && <ModelsSell provider={search.sell} onClose={close} />}
      {model !== undefined && <ModelRoutes model={model} onClose={close} />}
      {search.yaml === 'true' && yaml !== undefined && (
        <Dialog
          open
          width="wide"
          title="The database as a config file"
          description="Keys are variables in it, since they are never shown."
          onClose={close}
          footer={<Button onClick={close}>Close</Button>}
        >
          <CodeBlock code={yaml} label="YAML" />
        </Dialog>
      )}
    </>
  );
}

type Show = DeclaredProps['onShow'];

/** Where it is declared, and below it why it does not count. */
function Origin({ source, problem }: Pick<OfferedModel, 'source' | 'problem'>): ReactNode {
  return (
    <span className="flex w-64 flex-col py-1.5 whitespace-normal max-sm:w-auto max-sm:items-end">
      {source === 'file' ? 'config file' : 'database'}
      {problem !== null && <StatusWord status="low">{problem}</StatusWord>}
    </span>
  );
}

function providerColumns(onShow: Show): readonly Column<OfferedProvider>[] {
  return [
    { id: 'name', header: 'Provider', cell: ({ name }) => name, grow: true },
    { id: 'source', header: 'Declared in', cell: (provider) => <Origin {...provider} /> },
    { id: 'key', header: 'Key', from: 'md', cell: ({ has_key: hasKey }) => (hasKey ? 'set' : 'none') },
    actionsColumn((provider) => <ProviderActions provider={provider} onShow={onShow} />),
  ];
}

function ProviderActions({
  provider: { name, source, version },
  onShow,
}: {
  readonly provider: OfferedProvider;
  readonly onShow: Show;
}): ReactNode {
  return (
    <span className="inline-flex justify-end gap-2 py-1">
      <Button aria-label={`Sell models of ${name}`} onClick={() => onShow({ sell: name })}>
        Sell models
      </Button>
      {source === 'database' && (
        <StoredActions
          name={name}
          onChange={() => onShow({ change: name })}
          action="Remove provider"
          command={commandWords(CATALOGUE_COMMANDS, 'provider remove', { provider: name })}
          send={() => deleteProvider(name, version ?? 0)}
        >
          Its key is gone for good. Models with a route to it have to be changed or removed first.
        </StoredActions>
      )}
    </span>
  );
}

interface StoredActionsProps extends Pick<ConfirmActionProps<unknown>, 'action' | 'command' | 'send' | 'children'> {
  readonly name: string;
  readonly onChange: () => void;
}

/** Changes or removes what the database declares. */
function StoredActions({ name, onChange, ...removal }: StoredActionsProps): ReactNode {
  return (
    <>
      <Button aria-label={`Change ${name}`} onClick={onChange}>
        Change
      </Button>
      <ConfirmAction
        label="Remove"
        aria-label={`Remove ${name}`}
        title={`Remove ${name}?`}
        danger
        done={() => `${name} is removed.`}
        reload={reloadOffer}
        isVersioned
        {...removal}
      />
    </>
  );
}

function modelColumns(onShow: Show, workspace: string | null): readonly Column<OfferedModel>[] {
  return [
    { id: 'model', header: 'Model', cell: ({ id }) => id, grow: true },
    { id: 'source', header: 'Declared in', cell: (model) => <Origin {...model} /> },
    { id: 'price', header: 'Price', from: 'md', cell: ({ declaration }) => priceWords(declaration) },
    actionsColumn((model) => <ModelActions model={model} onShow={onShow} workspace={workspace} />),
  ];
}

function priceWords({ markup }: OfferedModel['declaration']): string {
  return typeof markup === 'string' ? `cost + ${markup}` : 'its own';
}

interface ModelActionsProps {
  readonly model: OfferedModel;
  readonly onShow: Show;
  /** Where it can be tried; null: the operator is a member of none. */
  readonly workspace: string | null;
}

function ModelActions({ model: { id, source, version }, onShow, workspace }: ModelActionsProps): ReactNode {
  return (
    <span className="inline-flex items-center justify-end gap-2 py-1">
      {workspace !== null && <TextLink href={paths.playground(workspace, { model: id })}>Try it</TextLink>}
      {source === 'database' && (
        <StoredActions
          name={id}
          onChange={() => onShow({ model: id })}
          action="Remove model"
          command={commandWords(CATALOGUE_COMMANDS, 'model remove', { model: id })}
          send={() => deleteModel(id, version ?? 0)}
        >
          It goes off sale. Requests that run are not affected, and receipts keep its price.
        </StoredActions>
      )}
    </span>
  );
}
