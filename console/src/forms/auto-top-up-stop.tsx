import type { ReactNode } from 'react';
import type { PaymentSettingsJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { updateAutoTopUp } from '../api/credit.ts';
import { useUnavailable } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';

interface AutoTopUpStopProps {
  readonly workspace: string;
  readonly settings: PaymentSettingsJson;
}

/** Turns automatic top-ups off. */
export function AutoTopUpStop({ workspace, settings }: AutoTopUpStopProps): ReactNode {
  return (
    <ConfirmAction
      label="Turn off"
      unavailable={useUnavailable(workspace, 'payments:write', 'turn automatic top-up off')}
      title="Turn automatic top-up off?"
      action="Turn it off"
      send={() => updateAutoTopUp(workspace, settings.version, { enabled: false })}
      done={() => 'Automatic top-up is off.'}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace, 'credit'] })}
    >
      Nothing more is charged. When the balance is used up, requests are refused until credit is added.
    </ConfirmAction>
  );
}
