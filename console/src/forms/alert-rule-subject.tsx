import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { subjectKindOf, type WorkspaceKind } from '../../../src/domain/alert-kinds.ts';
import { keyChoicesQuery } from '../api/keys.ts';
import { projectChoicesQuery } from '../api/projects.ts';
import { useUnavailable } from '../session/access.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { ParamField } from './param-field.tsx';

/** The one project or key that a rule is about; without an id it is about each. */
export interface ChosenSubject {
  readonly id: string | null;
  readonly name: string | null;
}

export const EACH: ChosenSubject = { id: null, name: null };

interface RuleSubjectProps {
  readonly workspace: string;
  readonly kind: WorkspaceKind;
  readonly chosen: ChosenSubject;
  readonly onChange: (chosen: ChosenSubject) => void;
}

/** Chooses whom a rule is about, by name, if its kind can be about one alone. */
export function RuleSubject(props: RuleSubjectProps): ReactNode {
  const subjectKind = subjectKindOf(props.kind);
  if (subjectKind === null) return null;
  return subjectKind === 'project' ? <ProjectSubject {...props} /> : <KeySubject {...props} />;
}

function ProjectSubject({ workspace, kind, chosen, onChange }: RuleSubjectProps): ReactNode {
  const { data: projects = [] } = useQuery(projectChoicesQuery(workspace, chosen.id));
  return (
    <ParamField
      param="subject_id"
      label="Project"
      help={`Projects without ${kind === 'project_budget' ? 'a budget' : 'this limit'} have nothing to alert about.`}
    >
      <SubjectSelect each="Each project" subjects={projects} chosen={chosen} onChange={onChange} />
    </ParamField>
  );
}

const SEARCH_MS = 200;

/** A workspace may have a key for each of its users, so that keys are searched for. */
function KeySubject({ workspace, chosen, onChange }: RuleSubjectProps): ReactNode {
  const [search, setSearch] = useState('');
  const hidden = useUnavailable(workspace, 'keys:read', 'choose one key');
  const query = keyChoicesQuery(workspace, useSettled(search.trim(), SEARCH_MS));
  const { data: keys = [] } = useQuery({ ...query, enabled: hidden === null, placeholderData: keepPreviousData });
  if (hidden !== null) return <p className="text-control text-text-2">It is about each key. {hidden}</p>;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Find a key by its name" optional>
        <TextInput value={search} onChange={setSearch} autoComplete="off" spellCheck={false} />
      </Field>
      <ParamField param="subject_id" label="Key">
        <SubjectSelect each="Each key" subjects={keys} chosen={chosen} onChange={onChange} />
      </ParamField>
    </div>
  );
}

interface SubjectSelectProps extends Pick<RuleSubjectProps, 'chosen' | 'onChange'> {
  readonly each: string;
  readonly subjects: readonly { readonly id: string; readonly name: string }[];
}

function SubjectSelect({ each, subjects, chosen, onChange }: SubjectSelectProps): ReactNode {
  const isListed = chosen.id === null || subjects.some(({ id }) => id === chosen.id);
  const options = [
    { value: '', label: each },
    ...(isListed ? [] : [{ value: chosen.id ?? '', label: chosen.name ?? '' }]),
    ...subjects.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const choose = (id: string): void =>
    onChange(id === '' ? EACH : { id, name: options.find(({ value }) => value === id)?.label ?? null });
  return <Select value={chosen.id ?? ''} onChange={choose} options={options} />;
}
