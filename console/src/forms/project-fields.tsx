import type { ReactNode } from 'react';
import type { ProjectJson, ProjectUpdate } from '../../../src/admin/accounts/account-contract.ts';
import { PERIODS, type Period } from '../../../src/domain/window.ts';
import { problemOf } from '../api/api-error.ts';
import { readMoney } from '../format/money-entry.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** What somebody typed about a project. */
export interface ProjectEntry {
  readonly name: string;
  readonly budget: string;
  readonly period: Period;
  readonly requestsPerMinute: string;
  readonly tokensPerMinute: string;
  readonly concurrency: string;
  /** A model to a line. */
  readonly models: string;
  readonly memberKeyLimit: string;
  readonly memberKeys: string;
  readonly reportsCost: boolean;
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  day: 'each day',
  week: 'each week',
  month: 'each month',
  never: 'never',
};

const NEW_PROJECT: ProjectEntry = {
  name: '',
  budget: '',
  period: 'month',
  requestsPerMinute: '',
  tokensPerMinute: '',
  concurrency: '',
  models: '',
  memberKeyLimit: '',
  memberKeys: '',
  reportsCost: false,
};

/** What the form shows at first: the project as it is, or nothing. */
export function entryOf(project: ProjectJson | null): ProjectEntry {
  if (project === null) return NEW_PROJECT;
  const { requests_per_minute: requests, tokens_per_minute: tokens, concurrency } = project;
  return {
    name: project.name,
    budget: project.budget_usd ?? '',
    period: project.budget_period,
    requestsPerMinute: requests?.toString() ?? '',
    tokensPerMinute: tokens?.toString() ?? '',
    concurrency: concurrency?.toString() ?? '',
    models: project.models?.join('\n') ?? '',
    memberKeyLimit: project.member_key_spend_limit_usd ?? '',
    memberKeys: project.member_keys_max?.toString() ?? '',
    reportsCost: project.report_cost,
  };
}

const limitOf = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed));

/** What is sent: an empty field is no limit. An amount that can't be read goes as it is, and comes back with what would be right. */
export function settingsOf(entry: ProjectEntry): ProjectUpdate & { readonly name: string } {
  const usdOf = (typed: string): string | null => {
    const amount = readMoney(typed);
    return typed.trim() === '' ? null : amount.ok ? amount.usd : typed;
  };
  const models = entry.models.split(/[\s,]+/).filter((id) => id !== '');
  return {
    name: entry.name.trim(),
    budget_usd: usdOf(entry.budget),
    budget_period: entry.period,
    requests_per_minute: limitOf(entry.requestsPerMinute),
    tokens_per_minute: limitOf(entry.tokensPerMinute),
    concurrency: limitOf(entry.concurrency),
    models: models.length === 0 ? null : models,
    member_key_spend_limit_usd: usdOf(entry.memberKeyLimit),
    member_keys_max: limitOf(entry.memberKeys),
    report_cost: entry.reportsCost,
  };
}

/** The fields that say themselves what is wrong with them. */
export const PROJECT_PARAMS = [
  'name',
  'budget_usd',
  'budget_period',
  'requests_per_minute',
  'tokens_per_minute',
  'concurrency',
  'models',
  'member_key_spend_limit_usd',
  'member_keys_max',
  'report_cost',
];

interface ProjectFieldsProps {
  readonly entry: ProjectEntry;
  readonly onChange: (entry: ProjectEntry) => void;
  readonly error: Error | null;
}

export function ProjectFields({ entry, onChange, error }: ProjectFieldsProps): ReactNode {
  const set = (field: keyof ProjectEntry) => (value: string) => onChange({ ...entry, [field]: value });
  const whole = (
    field: 'requestsPerMinute' | 'tokensPerMinute' | 'concurrency' | 'memberKeys',
    label: string,
    param: string,
    help?: string,
  ) => (
    <Field label={label} help={help} error={problemOf(error, param)} optional>
      <TextInput
        value={entry[field]}
        onChange={set(field)}
        inputMode="numeric"
        pattern="[0-9]*"
        title="A whole number"
        placeholder="no limit"
        autoComplete="off"
        className="tabular"
      />
    </Field>
  );
  return (
    <>
      <Field label="Name" error={problemOf(error, 'name')}>
        <TextInput value={entry.name} onChange={set('name')} required maxLength={100} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="Budget"
          help="What all its keys together may spend."
          error={problemOf(error, 'budget_usd')}
          optional
        >
          <MoneyInput value={entry.budget} onChange={set('budget')} mayBeEmpty />
        </Field>
        <Field label="Resets" help="In UTC." error={problemOf(error, 'budget_period')}>
          <Select
            value={entry.period}
            onChange={(period) => onChange({ ...entry, period })}
            options={PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] }))}
          />
        </Field>
      </div>
      <div className="grid grid-cols-2 gap-4">
        {whole('requestsPerMinute', 'Requests per minute', 'requests_per_minute')}
        {whole('tokensPerMinute', 'Tokens per minute', 'tokens_per_minute')}
      </div>
      {whole('concurrency', 'Requests at the same time', 'concurrency')}
      <Field
        label="Models"
        help='One id a line, or the beginning of ids and "*". Empty allows every model on sale.'
        error={problemOf(error, 'models')}
        optional
      >
        <TextArea mono value={entry.models} onChange={set('models')} rows={3} spellCheck={false} />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="Limit of a developer's key"
          help="The most that one may spend in a month. It lowers those that are above it."
          error={problemOf(error, 'member_key_spend_limit_usd')}
          optional
        >
          <MoneyInput value={entry.memberKeyLimit} onChange={set('memberKeyLimit')} mayBeEmpty />
        </Field>
        {whole(
          'memberKeys',
          'Keys of each developer',
          'member_keys_max',
          'How many each may have. A revoked one counts until its month ends.',
        )}
      </div>
      <Checkbox
        label="Answers say what they cost"
        help="The charge in USD stands in each answer's usage, as usage.cost. A request's header x-faregate-report-cost takes precedence."
        checked={entry.reportsCost}
        onChange={(reportsCost) => onChange({ ...entry, reportsCost })}
      />
    </>
  );
}
