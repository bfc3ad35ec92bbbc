// What alert rules can watch.

/** What a workspace's rules can compare with a threshold. */
export const COMPARED_KINDS = ['balance_below', 'balance_share', 'runway', 'project_budget', 'key_limit'] as const;
/** What a workspace's rules can watch. */
export const WORKSPACE_KINDS = [...COMPARED_KINDS, 'auto_top_up_stopped'] as const;
/** What only the operator's rules can. They compare nothing. */
export const INSTANCE_KINDS = ['payment_after_closing', 'provider_key_refused', 'ledger_difference'] as const;

export type ComparedKind = (typeof COMPARED_KINDS)[number];
export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number];
export type InstanceKind = (typeof INSTANCE_KINDS)[number];
export type AlertKind = WorkspaceKind | InstanceKind;
