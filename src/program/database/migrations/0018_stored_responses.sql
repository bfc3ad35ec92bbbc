-- Responses that callers may go on from, for as long as the operator keeps them. Nothing is compressed: that would cost the
-- database more time than the rows are worth, and pieces of large values are read by themselves.
create table stored_responses (
  -- Of the request that it answers.
  request_id uuid primary key,
  workspace_id uuid not null,
  -- As the provider named it, which need not be unique.
  response_id text collate "C" not null,
  -- The request of the response that it goes on from.
  previous_request_id uuid,
  expires_at timestamptz not null,
  -- What the conversation gained: the request's own items, then those of the answer, as JSON with commas between them.
  items bytea not null,
  -- The bytes of the request's own items in `items`.
  input_length integer not null,
  -- The answer whole, as JSON.
  response bytea not null
);
alter table stored_responses alter column items set storage external, alter column response set storage external;
create index stored_responses_by_id on stored_responses (workspace_id, response_id, request_id);
create index stored_responses_expiring on stored_responses (expires_at);

-- Where the items of answers stand in `items`, for requests that refer to a single one.
create table stored_response_items (
  workspace_id uuid not null,
  item_id text collate "C" not null,
  request_id uuid not null references stored_responses on delete cascade,
  starts_at integer not null,
  -- Zero: nothing of the item can be sent again.
  length integer not null,
  primary key (workspace_id, item_id, request_id)
);
create index stored_response_items_of_response on stored_response_items (request_id);
