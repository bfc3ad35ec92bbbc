import { type ReactNode, useState } from 'react';
import { bodyName } from '../../../src/control/resources/setting-values.ts';
import type { Setting, SettingTable } from '../../../src/control/resources/setting.ts';
import { addDays, dayOf } from '../format/day.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { DateInput } from '../ui/date-input.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { ModelChoice } from './model-choice.tsx';
import { ParamField } from './param-field.tsx';
import type { SettingEntry } from './setting-entry.ts';

/** A form's fields for the settings of a resource. */
export interface SettingFormProps<Table extends SettingTable> {
  readonly entry: SettingEntry<Table>;
  readonly onChange: (entry: SettingEntry<Table>) => void;
}

interface SettingFieldProps<Table extends SettingTable> extends SettingFormProps<Table> {
  readonly table: Table;
  readonly property: keyof Table & string;
}

/** The field of one setting, by what it may be. */
export function SettingField<Table extends SettingTable>({
  table,
  property,
  entry,
  onChange,
}: SettingFieldProps<Table>): ReactNode {
  const setting: Setting | undefined = table[property];
  if (setting === undefined) return null;
  const set = (value: unknown): void => onChange({ ...entry, [property]: value });
  const value: unknown = entry[property];
  const { label, help, kind } = setting;
  if (kind === 'flag') return <Checkbox label={label} help={help ?? ''} checked={value === true} onChange={set} />;
  return (
    <ParamField param={bodyName(setting)} label={label} help={help} optional={kind !== 'name' && kind !== 'choice'}>
      <SettingInput setting={setting} value={value as string} onChange={set} />
    </ParamField>
  );
}

interface SettingInputProps {
  readonly setting: Exclude<Setting, { readonly kind: 'flag' }>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function SettingInput({ setting, value, onChange }: SettingInputProps): ReactNode {
  const [tomorrow] = useState(() => addDays(dayOf(new Date()), 1));
  switch (setting.kind) {
    case 'name':
      return <TextInput value={value} onChange={onChange} required maxLength={100} autoComplete="off" />;
    case 'text':
      return (
        <TextInput value={value} onChange={onChange} maxLength={setting.max} autoComplete="off" spellCheck={false} />
      );
    case 'usd':
      return <MoneyInput value={value} onChange={onChange} mayBeEmpty />;
    case 'models':
      return <ModelChoice value={value} onChange={onChange} />;
    case 'networks':
    case 'mapping':
      return <TextArea mono value={value} onChange={onChange} rows={3} spellCheck={false} />;
    case 'notes':
      return <TextArea mono value={value} onChange={onChange} rows={2} spellCheck={false} />;
    case 'time':
      return <DateInput value={value} onChange={onChange} min={tomorrow} />;
    case 'choice':
      return (
        <Select
          value={value}
          onChange={onChange}
          options={setting.of.map((choice) => ({ value: choice, label: setting.words[choice] ?? choice }))}
        />
      );
    case 'count':
      return (
        <TextInput
          value={value}
          onChange={onChange}
          inputMode="numeric"
          pattern="[0-9]*"
          title="A whole number"
          placeholder="no limit"
          autoComplete="off"
          className="tabular"
        />
      );
  }
}
