import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { matchesModel } from '../../../src/domain/policy.ts';
import { modelsQuery } from '../api/models.ts';
import { formatNumberOf } from '../format/count.ts';
import { Chip } from '../ui/chip.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { listOf } from './setting-entry.ts';

interface ModelChoiceProps {
  /** Entries of a policy, one a line. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Models, and patterns of their ids, chosen out of those on sale or typed. */
export function ModelChoice({ value, onChange }: ModelChoiceProps): ReactNode {
  const { workspace = '' } = useParams({ strict: false });
  const { data } = useQuery({ ...modelsQuery(workspace), enabled: workspace !== '' });
  const [typed, setTyped] = useState('');
  const list = useId();
  const ids = (data?.data ?? []).filter(({ on_sale: isOnSale }) => isOnSale).map(({ id }) => id);
  const families = [...new Set(ids.flatMap((id) => (id.includes('/') ? [`${id.slice(0, id.indexOf('/'))}/*`] : [])))];
  const chosen = listOf(value) ?? [];
  const options = [...families, ...ids].filter((option) => !chosen.includes(option));
  const take = (text: string): void => {
    setTyped('');
    onChange([...new Set([...chosen, ...(listOf(text) ?? [])])].join('\n'));
  };
  const matched = (pattern: string): number => ids.filter((id) => matchesModel(pattern, id)).length;
  return (
    <>
      <TextInput
        mono
        list={list}
        value={typed}
        placeholder={chosen.length === 0 ? 'All, or choose' : 'Choose another'}
        onChange={(text) => (options.includes(text) ? take(text) : setTyped(text))}
        onBlur={() => typed !== '' && take(typed)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed.trim() === '') return;
          event.preventDefault();
          take(typed);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option.endsWith('*') ? formatNumberOf(matched(option), 'model') : undefined}
          </option>
        ))}
      </datalist>
      {chosen.length > 0 && (
        <ul aria-label="Chosen models" className="flex flex-wrap gap-1.5">
          {chosen.map((entry) => (
            <li key={entry} className="max-w-full">
              <Chip
                removeLabel={`Remove ${entry}`}
                onRemove={() => onChange(chosen.filter((each) => each !== entry).join('\n'))}
              >
                <span className="font-mono text-meta">{entry}</span>
                {entry.endsWith('*') && data !== undefined && (
                  <span className="text-text-3"> {formatNumberOf(matched(entry), 'model')}</span>
                )}
              </Chip>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
