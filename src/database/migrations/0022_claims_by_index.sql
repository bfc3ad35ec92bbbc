-- Claims find their rows by index, as draws and settlements do, whatever PostgreSQL guesses of the size of their tables.

alter function claim_idempotency_key set enable_seqscan = off;
alter function claim_idempotency_key set enable_hashjoin = off;
alter function claim_idempotency_key set enable_mergejoin = off;

alter function complete_idempotent_requests set enable_seqscan = off;
alter function complete_idempotent_requests set enable_hashjoin = off;
alter function complete_idempotent_requests set enable_mergejoin = off;

alter function complete_held_claims set enable_seqscan = off;
alter function complete_held_claims set enable_hashjoin = off;
alter function complete_held_claims set enable_mergejoin = off;

alter function lock_claims set enable_seqscan = off;
alter function lock_claims set enable_hashjoin = off;
alter function lock_claims set enable_mergejoin = off;

alter function claim_for_late_receipt set enable_seqscan = off;
alter function claim_for_late_receipt set enable_hashjoin = off;
alter function claim_for_late_receipt set enable_mergejoin = off;

alter function release_idempotency_key set enable_seqscan = off;
alter function release_idempotency_key set enable_hashjoin = off;
alter function release_idempotency_key set enable_mergejoin = off;
