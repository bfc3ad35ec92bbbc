/** Mutants that change nothing anybody could see, by their names, and why. */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  [`correct_receipt, "select coalesce(sum(q.amount_nano_usd), 0) into v_until from postings q": "(case when true then sum(q.amount_nano_usd) when false then 0 end)" for "coalesce(sum(q.amount_nano_usd), 0)"`]:
    'Where its receipt has no correction the posting is of another one, and the name is refused for that.',
  [`post_credit, "select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace": without "and subject_id = p_workspace"`]:
    'A workspace has one purse of credit, and is its subject: only its creation makes one.',
  [`post_credit, "if p_amount >= 0 then": ">" for ">="`]:
    'A posting of nothing is refused, whatever of it would be owed.',
  [`post_credit, "when p_amount > 0 and not p_is_reported": ">=" for ">"`]:
    'A posting of nothing has been refused by the case before.',
  [`post_credit, "when p_kind in ('top_up', 'grant') and p_amount < 0 or p_kind = 'refund' and p_amount > 0 then 'wrong_way'": "<=" for "<"`]:
    'A posting of nothing has been refused by a case before.',
  [`post_credit, "when p_kind in ('top_up', 'grant') and p_amount < 0 or p_kind = 'refund' and p_amount > 0 then 'wrong_way'": ">=" for ">"`]:
    'A posting of nothing has been refused by a case before.',
};
