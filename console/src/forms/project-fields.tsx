import type { ReactNode } from 'react';
import { PROJECT_SETTINGS } from '../../../src/control/resources/project-settings.ts';
import { SettingField, type SettingFormProps } from './setting-field.tsx';

/** Which settings of a project are beside each other. */
const ROWS = [
  ['name'],
  ['budget', 'budgetPeriod'],
  ['requestsPerMinute', 'tokensPerMinute'],
  ['concurrency'],
  ['models'],
  ['memberKeySpendLimit', 'memberKeysMax'],
  ['reportsCost'],
] as const satisfies readonly (readonly (keyof typeof PROJECT_SETTINGS)[])[];

export function ProjectFields(props: SettingFormProps<typeof PROJECT_SETTINGS>): ReactNode {
  return ROWS.map((row) => (
    <div key={row[0]} className={row.length === 1 ? undefined : 'grid grid-cols-2 gap-4'}>
      {row.map((property) => (
        <SettingField key={property} table={PROJECT_SETTINGS} property={property} {...props} />
      ))}
    </div>
  ));
}
