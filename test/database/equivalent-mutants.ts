/** Mutants that change nothing anybody could see, by their names, and why. */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  [`apply_payment_fact, "if outcome = 'applied' and t.id is not null then": without "and t.id is not null"`]:
    'A top-up that is not there has no reversals, so nothing is posted.',
  [`apply_payment_fact, "select * into t from top_ups where provider = p_provider and payment_reference = p_payment for no key update;": without "for no key update"`]:
    'Facts of one payment are applied one after the other by the lock before, and nothing else changes a paid top-up.',
  [`correct_receipt, "perform from purses where id = any (v_receipt.purses || v_receipt.brief || v_receipt.credit::bigint) order by id for no key update;": without "for no key update"`]:
    'Corrections run one after the other by the lock of buckets, and the purses are locked by the changes that follow: this lock is for their order alone.',
  [`correct_receipt, "perform from purses where id = any (v_receipt.purses || v_receipt.brief || v_receipt.credit::bigint) order by id for no key update;": without "order by id"`]:
    'The planner finds the purses by their key, in its order, as long as it has that index.',
  [`correct_receipt, "select coalesce(sum(q.amount_nano_usd), 0) into v_until from postings q": "(case when true then sum(q.amount_nano_usd) when false then 0 end)" for "coalesce(sum(q.amount_nano_usd), 0)"`]:
    'Where its receipt has no correction the posting is of another one, and the name is refused for that.',
  [`post_credit, "if p_amount >= 0 then": ">" for ">="`]:
    'A posting of nothing is refused, whatever of it would be owed.',
  [`post_credit, "select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace": without "and subject_id = p_workspace"`]:
    'A workspace has one purse of credit, and is its subject: only its creation makes one.',
  [`post_credit, "when p_amount > 0 and not p_is_reported": ">=" for ">"`]:
    'A posting of nothing has been refused by the case before.',
  [`post_credit, "when p_kind in ('top_up', 'grant') and p_amount < 0 or p_kind = 'refund' and p_amount > 0 then 'wrong_way'": "<=" for "<"`]:
    'A posting of nothing has been refused by a case before.',
  [`post_credit, "when p_kind in ('top_up', 'grant') and p_amount < 0 or p_kind = 'refund' and p_amount > 0 then 'wrong_way'": ">=" for ">"`]:
    'A posting of nothing has been refused by a case before.',
  [`record_reversal, "when array_position(c_order, excluded.state) > array_position(c_order, r.state) then excluded.state": ">=" for ">"`]:
    'A state that comes again is set to itself.',
  [`redeem_code, "select * into c from redemption_codes q where q.code_sha256 = p_sha256 for no key update;": without "for no key update"`]:
    'Its caller has locked the code before, when it wrote what is audited.',
  [`claim_idempotency_key, "where i.workspace_id = p_workspace and i.key_id = p_key and i.idempotency_key = p_idempotency_key": without "and i.key_id = p_key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`claim_idempotency_key, "where i.workspace_id = p_workspace and i.key_id = p_key and i.idempotency_key = p_idempotency_key": without "and i.idempotency_key = p_idempotency_key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`complete_held_claims, "where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key": without "and i.key_id = q.key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`complete_held_claims, "where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key": without "and i.idempotency_key = q.idempotency_key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`complete_idempotent_requests, "where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key": without "and i.key_id = q.key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`complete_idempotent_requests, "where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key": without "and i.idempotency_key = q.idempotency_key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`draw, "coalesce(l.granted_nano_usd, 0) as granted, coalesce(l.charged_nano_usd, 0) as charged,": "(case when true then l.charged_nano_usd when false then 0 end)" for "coalesce(l.charged_nano_usd, 0)"`]:
    'Only the charges of an open lease are read, and an open lease is there.',
  [`draw, "coalesce(l.open, false) as is_open, coalesce(l.sequence, 0) as lease_sequence,": "(case when true then l.open when false then false end)" for "coalesce(l.open, false)"`]:
    'Where there is no lease nothing is granted or charged, and whether it is open is set before it is written.',
  [`draw, "v_ahead := case when r.is_foreign_open then 0 else least(r.ahead, greatest(0, v_available / 8)) end;": "(case when false then 0 when true then v_available / 8 end)" for "greatest(0, v_available / 8)"`]:
    'Where less than nothing is left the purse turns dry, or stays so, and nothing is given ahead.',
  [`draw, "order by u.purse": without "order by u.purse"`]:
    'The purses and their leases are locked by then, and each row says which request it answers.',
  [`draw, "order by u.purse": "order by u.purse desc" for "order by u.purse"`]:
    'The purses and their leases are locked by then, and each row says which request it answers.',
  [`look_up_keys, ") order by ordinal)": without "order by ordinal"`]:
    'The rows come in the order in which they are numbered.',
  [`refund_closed, "perform from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace for no key update;": without "and subject_id = p_workspace"`]:
    'A workspace has one purse of credit, and is its subject: only its creation makes one.',
  [`refund_closed, "select greatest(0, coalesce(-sum(e.amount_nano_usd), 0)": "(case when true then -sum(e.amount_nano_usd) when false then 0 end)" for "coalesce(-sum(e.amount_nano_usd), 0)"`]:
    'Where nothing was paid the difference is null, which greatest leaves out.',
  [`refund_closed, "select * from (values ('refund', least(v_left, v_paid)), ('adjustment', v_left - least(v_left, v_paid))) as t (kind, amount)": "(case when false then v_left when true then v_paid end)" for "least(v_left, v_paid)" (2)`]:
    'If more was paid than is left, the difference is below zero, and is left out as zero is.',
  [`refund_closing, "select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace": without "and subject_id = p_workspace"`]:
    'A workspace has one purse of credit, and is its subject: only its creation makes one.',
  [`refund_closing, "if p.leased_nano_usd <> (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = p.id) then": "(case when true then sum(charged_nano_usd) when false then 0 end)" for "coalesce(sum(charged_nano_usd), 0)"`]:
    'A purse without leases has nothing leased.',
  [`release_idempotency_key, "where workspace_id = p_workspace and key_id = p_key and idempotency_key = p_idempotency_key": without "and key_id = p_key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`release_idempotency_key, "where workspace_id = p_workspace and key_id = p_key and idempotency_key = p_idempotency_key": without "and idempotency_key = p_idempotency_key"`]:
    'The request that has the claim is compared too, and a request has one claim at most.',
  [`settle_late_receipts, "perform pg_advisory_xact_lock(hashtextextended('late charges of epoch ' || p_epoch, lock_number(0)));": without "perform pg_advisory_xact_lock(hashtextextended('late charges of epoch ' || p_epoch, lock_number(0)));"`]:
    'Two that replay one journal wait for each other at its purses as well, and look for its receipts after that.',
  [`settle_receipts_again, "select array_agg(purse order by purse), array_agg(amount order by purse) into v_purses, v_amounts": without "order by purse"`]:
    'From PostgreSQL 16 on, which tests run, the rows are sorted once for the other array, and this one gets them in that order.',
  [`settle_receipts_again, "select array_agg(purse order by purse), array_agg(amount order by purse) into v_purses, v_amounts": without "order by purse" (2)`]:
    'From PostgreSQL 16 on, which tests run, the rows are sorted once for the other array, and this one gets them in that order.',
};
