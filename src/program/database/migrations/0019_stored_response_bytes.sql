-- How many bytes of responses each workspace has, so that none can fill the disk. Counted up with each batch, and anew with
-- each deletion of what has expired.
create table stored_response_bytes (
  workspace_id uuid primary key,
  bytes bigint not null
);
