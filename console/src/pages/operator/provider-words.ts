import type { ProviderJson, ProviderRouteJson } from '../../../../src/control/admin/providers/provider-contract.ts';
import type { Status } from '../../ui/status-word.tsx';

interface StateWords {
  readonly status: Status;
  readonly word: string;
}

/** How a route is, in a word. */
export const ROUTE_WORDS: Readonly<Record<ProviderRouteJson['state'], StateWords>> = {
  resting: { status: 'closed', word: 'resting' },
  probing: { status: 'waiting', word: 'probing' },
  failing: { status: 'low', word: 'failing' },
  answering: { status: 'open', word: 'answering' },
  idle: { status: 'off', word: 'idle' },
};

/** Why a route rests. */
export const CAUSE_WORDS: Readonly<Record<NonNullable<ProviderRouteJson['rest']>['cause'], string>> = {
  provider_asked: 'The provider asked for a pause',
  failures: 'Too many attempts failed',
  key_refused: 'The provider refuses the key',
};

/** Why a route that does not rest is not well. */
export const UNANSWERED_WORDS: Readonly<Partial<Record<ProviderRouteJson['state'], string>>> = {
  probing: 'Its rest is over. It has not answered since',
  failing: 'No attempt was answered',
};

/** How a provider is, and what to do about it; null: nothing. */
export const PROVIDER_WORDS: Readonly<Record<ProviderJson['state'], StateWords & { readonly next: string | null }>> = {
  key_refused: {
    status: 'closed',
    word: 'refuses the key',
    next: "It refuses the configured key, or its account has no money. Correct the key where it is declared, or settle the provider's bill. A key from the environment is read at a start.",
  },
  resting: {
    status: 'closed',
    word: 'resting',
    next: 'All its routes rest. Requests take other routes; models without any are refused. It is tried again by itself: if it stays so, look at the provider’s status page.',
  },
  degraded: {
    status: 'low',
    word: 'partly resting',
    next: 'Some routes do not answer. Requests take other routes of the same model, if it has any.',
  },
  full: {
    status: 'low',
    word: 'full',
    next: 'It has as many attempts under way as it may, so its routes are skipped. Raise concurrency_max if the provider allows more.',
  },
  answering: { status: 'open', word: 'answering', next: null },
  idle: { status: 'off', word: 'idle', next: null },
};
