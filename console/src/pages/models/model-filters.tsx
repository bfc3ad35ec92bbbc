import type { ReactNode } from 'react';
import { MODEL_CAPABILITIES, MODEL_KINDS } from '../../api/models.ts';
import { Chip } from '../../ui/chip.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { CAPABILITY_WORDS, type ModelSearch } from './model-list.ts';

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const KIND_OPTIONS = [
  { value: '', label: 'All kinds' },
  ...MODEL_KINDS.map((kind) => ({ value: kind, label: capitalized(kind) })),
] as const;

const CAPABILITY_OPTIONS = [
  { value: '', label: 'Any capability' },
  ...MODEL_CAPABILITIES.map((capability) => ({ value: capability, label: capitalized(CAPABILITY_WORDS[capability]) })),
] as const;

interface ModelFiltersProps {
  readonly search: ModelSearch;
  readonly onChange: (change: Partial<ModelSearch>) => void;
  readonly onClear: (() => void) | null;
}

/** What narrows the list of models. */
export function ModelFilters({ search, onChange, onClear }: ModelFiltersProps): ReactNode {
  return (
    <FilterBar label="Filter models" onClear={onClear}>
      <SearchInput
        label="Search models"
        value={search.search ?? ''}
        onChange={(typed) => onChange({ search: typed === '' ? undefined : typed })}
      />
      <Select
        aria-label="Kind"
        className="w-32 max-sm:flex-1"
        value={search.kind ?? ''}
        onChange={(kind) => onChange({ kind: kind === '' ? undefined : kind })}
        options={KIND_OPTIONS}
      />
      <Select
        aria-label="Capability"
        className="w-44 max-sm:flex-1"
        value={search.capability ?? ''}
        onChange={(capability) => onChange({ capability: capability === '' ? undefined : capability })}
        options={CAPABILITY_OPTIONS}
      />
      <Chip
        pressed={search.former === 'true'}
        onPress={() => onChange({ former: search.former === 'true' ? undefined : 'true' })}
      >
        No longer on sale
      </Chip>
    </FilterBar>
  );
}
