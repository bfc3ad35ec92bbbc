-- A receipt names the route of its last attempt in columns, and has its attempts only if they say more than these: several
-- attempts, a failed one, a strategy, or usage that was charged apart. Receipts from before have their attempts, and no
-- columns.
alter table receipts
  add column provider text,
  add column upstream_model text,
  -- How long the last attempt took; duration_ms is the whole request.
  add column attempt_ms integer,
  alter column attempts drop not null;
alter type late_receipt
  add attribute provider text,
  add attribute upstream_model text,
  add attribute attempt_ms integer;
