-- Redeems a code for a workspace: its row is claimed, and its credit posted as that of a payment that it is, in one
-- statement.
--   redeemed, repeated     by this workspace, now or before
--   unknown, used, expired, closed   refused; closed: the workspace is being closed. A closing that is under way waits, and
--                                    refunds the credit
create or replace function redeem_code(
  p_sha256 bytea, p_workspace uuid, p_top_up uuid, p_actor text, out outcome text, out top_up uuid
) language plpgsql as $$
declare
  c redemption_codes;
  b redemption_batches;
  w workspaces;
  r record;
begin
  perform bound_transaction();
  select * into c from redemption_codes q where q.code_sha256 = p_sha256 for no key update;
  select * into b from redemption_batches q where q.id = c.batch_id;
  select * into w from workspaces where id = p_workspace for share;
  outcome := case
    when c.id is null then 'unknown'
    when c.workspace_id = p_workspace then 'repeated'
    when c.workspace_id is not null then 'used'
    when b.expires_at <= now() then 'expired'
    when w.closing_at is not null then 'closed'
    else 'redeemed'
  end;
  top_up := case when outcome = 'repeated' then c.top_up_id end;
  if outcome <> 'redeemed' then
    return;
  end if;
  insert into top_ups (workspace_id, id, provider, origin, posting_kind, amount_nano_usd, actor)
    values (p_workspace, p_top_up, 'codes', 'code', b.posting_kind, b.amount_nano_usd, p_actor);
  update redemption_codes q set workspace_id = p_workspace, top_up_id = p_top_up, redeemed_by = p_actor, redeemed_at = now()
    where q.id = c.id;
  select * into r from apply_payment_fact('codes', c.id::text, 'paid', c.id::text, p_top_up, p_workspace, 'code',
    null, b.amount_nano_usd, 'usd', null, null);
  if r.outcome <> 'applied' then
    raise exception 'the code % could not be redeemed: % %', c.id, r.outcome, r.detail;
  end if;
  top_up := p_top_up;
end $$;
