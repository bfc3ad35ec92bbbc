const each = (columns: readonly string[]): string => `cross join lateral (
  select purse_id from (values ${columns.map((column) => `(${column})`).join(', ')}) as q (purse_id)
  where purse_id is not null
) as charged_purses`;

const LASTING = ['credit_purse_id', 'project_purse_id', 'key_purse_id', 'member_purse_id'];

/** SQL that joins each purse that a receipt charges, as `purse_id`, to a row with its purses. */
export const EACH_PURSE = each([...LASTING, 'end_user_purse_id', 'session_purse_id']);

/** SQL likewise for the purses that are kept for good: those of end users and sessions are pruned before their receipts are sealed. */
export const EACH_LASTING_PURSE = each(LASTING);
