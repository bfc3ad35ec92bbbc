import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AUDIT_ACTIONS } from '../../../../src/domain/audit-actions.ts';
import { membersQuery } from '../../api/members.ts';
import { actionWords } from '../../components/audit-words.ts';
import { Chip } from '../../ui/chip.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import type { AuditSearch } from './audit-search.ts';

interface AuditFiltersProps {
  readonly workspace: string;
  readonly search: AuditSearch;
  readonly onChange: (changed: AuditSearch) => void;
  readonly onClear: (() => void) | null;
}

const ACTIONS: readonly Option[] = AUDIT_ACTIONS.map((action) => ({
  value: action,
  label: actionWords(action),
  group: action.slice(0, action.indexOf('.')).replaceAll('_', ' '),
}));

export function AuditFilters({ workspace, search, onChange, onClear }: AuditFiltersProps): ReactNode {
  const members = useInfiniteQuery(membersQuery(workspace)).data?.pages.flatMap(({ data }) => data) ?? [];
  const { action = '', target, user = '', from = '', to = '' } = search;
  const isListed = user === '' || members.some(({ id }) => id === user);
  return (
    <FilterBar label="Filter changes" onClear={onClear}>
      <Select
        aria-label="Change"
        className="w-48"
        value={action}
        onChange={(chosen) => onChange({ action: chosen || undefined })}
        options={[{ value: '', label: 'Any change' }, ...ACTIONS]}
      />
      <Select
        aria-label="By"
        className="w-48"
        value={user}
        onChange={(chosen) => onChange({ user: chosen || undefined })}
        options={[
          { value: '', label: 'By anybody' },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
          ...(isListed ? [] : [{ value: user, label: 'A former member' }]),
        ]}
      />
      <span data-whole-line className="flex items-center gap-2 text-control text-text-2">
        from
        <DateInput
          aria-label="From day, UTC"
          value={from}
          max={to === '' ? undefined : to}
          onChange={(day) => onChange({ from: day || undefined })}
        />
        to
        <DateInput
          aria-label="To day, UTC"
          value={to}
          min={from === '' ? undefined : from}
          onChange={(day) => onChange({ to: day || undefined })}
        />
      </span>
      {target !== undefined && (
        <Chip onRemove={() => onChange({ target: undefined })} removeLabel="Show changes to everything">
          one thing: <code className="font-mono">{target}</code>
        </Chip>
      )}
    </FilterBar>
  );
}
