/** SQL that joins each purse that a receipt charges, as `purse_id`, to a row with its purses. */
export const EACH_PURSE = `cross join lateral (
  select purse_id from (values (credit_purse_id), (project_purse_id), (key_purse_id), (member_purse_id)) as q (purse_id)
  where purse_id is not null
) as charged_purses`;
