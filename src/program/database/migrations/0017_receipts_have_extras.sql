-- What few receipts say: the agent's session that the request was part of, what of the request its answer's provider was not
-- sent, and whether it repeated one that had failed a moment before. Null where there is nothing to say.
alter table receipts
  add column session text,
  add column left_out text[],
  add column retry boolean;
alter type late_receipt add attribute extras jsonb;

-- Requests of a session, oldest first. Receipts without one are not in it.
create index receipts_session on receipts (workspace_id, session, request_id) where session is not null;
