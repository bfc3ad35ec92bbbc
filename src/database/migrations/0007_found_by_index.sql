-- What a request waits for names every row that it wants by its key. Where PostgreSQL guesses that there are a hundred
-- of them (it does so of any JSON), or that a table is as small as it was a minute ago, it would rather read whole tables:
-- all projects for one permit, all leases for one settlement. These functions find their rows by index instead.

alter function draw_leases set enable_seqscan = off;
alter function draw_leases set enable_hashjoin = off;
alter function draw_leases set enable_mergejoin = off;

alter function draw_permits set enable_seqscan = off;
alter function draw_permits set enable_hashjoin = off;
alter function draw_permits set enable_mergejoin = off;

alter function settle_receipts set enable_seqscan = off;
alter function settle_receipts set enable_hashjoin = off;
alter function settle_receipts set enable_mergejoin = off;

alter function release_leases set enable_seqscan = off;
alter function release_leases set enable_hashjoin = off;
alter function release_leases set enable_mergejoin = off;
