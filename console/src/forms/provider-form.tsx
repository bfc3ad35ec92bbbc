import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OfferJson } from '../../../src/control/admin/offer/offer-contract.ts';
import { offerQuery, reloadOffer, storeProvider } from '../api/offer.ts';
import { Select } from '../ui/select.tsx';
import { ParamField } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';

type OfferedProvider = OfferJson['providers'][number];

interface ProviderFormProps {
  /** The one that is changed; null: another is added. */
  readonly provider: OfferedProvider | null;
  readonly onClose: () => void;
  readonly onDone: (provider: string) => void;
}

interface Entry {
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  readonly key: string;
}

const KINDS = [
  { value: 'openai', label: 'OpenAI and compatible servers' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'gemini', label: 'Gemini' },
  { value: 'azure', label: 'Azure' },
] as const;

function textIn(declaration: OfferedProvider['declaration'], key: string): string {
  const value = declaration[key];
  return typeof value === 'string' ? value : '';
}

function entryOf(provider: OfferedProvider | null): Entry {
  const declaration = provider?.declaration ?? { kind: 'openai', base_url: 'https://api.openai.com/v1' };
  const name = provider?.name ?? 'openai';
  return { kind: textIn(declaration, 'kind'), name, address: textIn(declaration, 'base_url'), key: '' };
}

/** Declares a provider in the database, or changes one there. Its key is never shown again. */
export function ProviderForm({ provider, onClose, onDone }: ProviderFormProps): ReactNode {
  const [entry, setEntry] = useState(() => entryOf(provider));
  const known = useQuery(offerQuery).data?.known_providers ?? [];
  const change = (given: Partial<Entry>): void => setEntry({ ...entry, ...given });
  const choose = (name: string): void => {
    const chosen = known.find((each) => each.name === name);
    if (chosen === undefined) change({ name: '', kind: 'openai', address: '' });
    else change({ name, kind: textIn(chosen.declaration, 'kind'), address: textIn(chosen.declaration, 'base_url') });
  };
  const { kind, name, address, key } = entry;
  const declaration = {
    ...provider?.declaration,
    kind,
    ...(address.trim() === '' ? {} : { base_url: address.trim() }),
  };
  return (
    <ResourceForm
      title={provider === null ? 'Add provider' : `Change ${provider.name}`}
      description="It is kept in the database, for all instances on it. Its key is encrypted, and never shown again."
      onClose={onClose}
      dirty={key !== ''}
      action={provider === null ? 'Add provider' : 'Change provider'}
      send={() => storeProvider({ provider: name.trim(), version: provider?.version ?? 0 }, declaration, key.trim())}
      done={(stored) => `${stored.name} is ${provider === null ? 'added' : 'changed'}.`}
      reload={reloadOffer}
      onDone={(stored) => onDone(stored.name)}
    >
      {provider === null && (
        <>
          <ParamField param="known" label="Provider">
            <Select
              value={known.some((each) => each.name === name) ? name : ''}
              onChange={choose}
              options={[
                ...known.map((each) => ({ value: each.name, label: each.name })),
                { value: '', label: 'Another server' },
              ]}
            />
          </ParamField>
          <TextField
            param="provider"
            label="Name"
            help="Letters, digits, “-” and “_”. By the name of a known provider, its models’ costs are found."
            value={name}
            onChange={(text) => change({ name: text })}
            maxLength={64}
            spellCheck={false}
          />
        </>
      )}
      <ParamField param="kind" label="API">
        <Select value={kind} onChange={(value) => change({ kind: value })} options={KINDS} />
      </ParamField>
      <TextField
        param="declaration"
        label="Address"
        help="With its version, such as https://api.openai.com/v1. Empty: the vendor’s own."
        type="url"
        optional={kind === 'anthropic' || kind === 'gemini'}
        value={address}
        onChange={(text) => change({ address: text })}
        maxLength={2_000}
        spellCheck={false}
      />
      <TextField
        param="api_key"
        label="Key"
        help={
          provider?.has_key === true
            ? 'Empty: it keeps the key that it has. With another address it needs the key again.'
            : 'Empty: the server needs none.'
        }
        type="password"
        optional
        value={key}
        onChange={(text) => change({ key: text })}
        maxLength={4_096}
        autoComplete="off"
      />
    </ResourceForm>
  );
}
