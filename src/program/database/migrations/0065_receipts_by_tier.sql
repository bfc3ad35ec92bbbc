-- Receipts that were served in another tier than the standard one, whose usage is added up when it is asked for.
create index receipts_service_tier on receipts (workspace_id, request_id) where service_tier is not null;
