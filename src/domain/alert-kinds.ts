// What alert rules can watch.

/** What a workspace's rules can compare with a threshold. */
export const COMPARED_KINDS = [
  'balance_below',
  'balance_share',
  'runway',
  'project_budget',
  'key_limit',
  'member_limit',
  'end_user_limit',
  'session_limit',
] as const;
/** What a workspace's rules can watch. */
export const WORKSPACE_KINDS = [...COMPARED_KINDS, 'auto_top_up_stopped'] as const;
/** What only the operator's rules can. They compare nothing. */
export const INSTANCE_KINDS = ['payment_after_closing', 'provider_key_refused', 'ledger_difference'] as const;

export type ComparedKind = (typeof COMPARED_KINDS)[number];
export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number];
export type InstanceKind = (typeof INSTANCE_KINDS)[number];
export type AlertKind = WorkspaceKind | InstanceKind;

/** The one field of the API that holds the threshold of each kind; null: it compares nothing. */
export const THRESHOLD_FIELDS = {
  balance_below: 'threshold_usd',
  balance_share: 'percent',
  runway: 'days',
  project_budget: 'percent',
  key_limit: 'percent',
  member_limit: 'percent',
  end_user_limit: 'percent',
  session_limit: 'percent',
  auto_top_up_stopped: null,
  payment_after_closing: null,
  provider_key_refused: null,
  ledger_difference: null,
} as const satisfies Readonly<Record<AlertKind, 'threshold_usd' | 'percent' | 'days' | null>>;

const SUBJECT_KINDS: Readonly<Partial<Record<AlertKind, 'project' | 'key'>>> = {
  project_budget: 'project',
  end_user_limit: 'project',
  session_limit: 'project',
  key_limit: 'key',
};

/** What a rule of this kind can be about alone; null: it is about its workspace or the instance. */
export function subjectKindOf(kind: AlertKind): 'project' | 'key' | null {
  return SUBJECT_KINDS[kind] ?? null;
}
