import type { ReactNode } from 'react';
import { KEY_SETTINGS } from '../../../src/control/resources/key-settings.ts';
import { SettingField, type SettingFormProps } from './setting-field.tsx';

interface KeyFieldsProps extends SettingFormProps<typeof KEY_SETTINGS> {
  /** Below the name, where a new key chooses its project. */
  readonly children?: ReactNode;
}

/** The name, and each other setting in a section of its own, below a hairline. */
export function KeyFields({ children, ...props }: KeyFieldsProps): ReactNode {
  return (
    <>
      <SettingField table={KEY_SETTINGS} property="name" {...props} />
      {children}
      {(['spendLimit', 'models', 'expiresAt', 'metadata'] as const).map((property) => (
        <div key={property} className="border-t border-line pt-4">
          <SettingField table={KEY_SETTINGS} property={property} {...props} />
        </div>
      ))}
    </>
  );
}
