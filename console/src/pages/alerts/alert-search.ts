import type { DeliveryState } from '../../../../src/domain/delivery-states.ts';
import type { AlertOwner } from '../../api/alerts.ts';

/** What an address says of deliveries: which are listed, and the one that is open. */
export interface DeliverySearch {
  readonly state?: DeliveryState | undefined;
  readonly delivery?: string | undefined;
}

/** What the address of the page of alerts says. */
export interface AlertSearch extends DeliverySearch {
  readonly tab?: 'rules' | 'webhooks' | 'deliveries' | undefined;
  /** The form that is open. */
  readonly create?: 'rule' | 'webhook' | undefined;
  /** The rule that is being changed. */
  readonly change?: string | undefined;
  /** The history has only alerts of this rule. */
  readonly rule?: string | undefined;
}

/** Changes the address; replaces the history entry if it is no step to go back to. */
export type OnSearch<Search> = (changed: Search, replace?: boolean) => void;

/** What each part of the page of alerts needs. */
export interface AlertsProps {
  readonly owner: AlertOwner;
  readonly search: AlertSearch;
  readonly onSearch: OnSearch<AlertSearch>;
}
