-- Requests that were sent with an Idempotency-Key. A claim belongs to the epoch that runs the request; one whose epoch
-- is fenced may be taken over. The answer is stored in the transaction that settles the request.
create table idempotent_requests (
  workspace_id uuid not null,
  key_id uuid not null,
  idempotency_key text not null,
  body_sha256 bytea not null,
  epoch_id bigint not null,
  request_id uuid not null,
  claimed_at timestamptz not null default now(),
  completed_at timestamptz,
  -- Null on a completed request: its answer was too large to keep.
  answer bytea,
  primary key (workspace_id, key_id, idempotency_key)
);
create index idempotent_requests_claimed on idempotent_requests (claimed_at);

-- Claims a key for a request, or says what has become of the one that has it.
--   claimed: this request may run.   running: another with the same body does.   mismatch: it was used for another body.
--   done: `answer` is to be replayed; null where it was not kept.
create function claim_idempotency_key(
  p_epoch bigint, p_workspace uuid, p_key uuid, p_idempotency_key text, p_body bytea, p_request uuid
) returns table (state text, request_id uuid, answer bytea) language plpgsql as $$
#variable_conflict use_column
declare
  r idempotent_requests;
begin
  perform require_live_epoch(p_epoch);
  insert into idempotent_requests (workspace_id, key_id, idempotency_key, body_sha256, epoch_id, request_id)
    values (p_workspace, p_key, p_idempotency_key, p_body, p_epoch, p_request)
    on conflict (workspace_id, key_id, idempotency_key) do update set
      body_sha256 = excluded.body_sha256, epoch_id = excluded.epoch_id, request_id = excluded.request_id,
      claimed_at = now(), completed_at = null, answer = null
      where idempotent_requests.claimed_at < now() - interval '24 hours'
        or idempotent_requests.completed_at is null
          and idempotent_requests.body_sha256 = excluded.body_sha256
          and not exists (select from epochs e where e.id = idempotent_requests.epoch_id and e.fenced_at is null);
  if found then
    return query select 'claimed', p_request, null::bytea;
    return;
  end if;
  select * into r from idempotent_requests
    where workspace_id = p_workspace and key_id = p_key and idempotency_key = p_idempotency_key;
  if r.body_sha256 <> p_body then
    return query select 'mismatch', r.request_id, null::bytea;
  elsif r.completed_at is null then
    return query select 'running', r.request_id, null::bytea;
  else
    return query select 'done', r.request_id, r.answer;
  end if;
end $$;

-- Completes claims with their answers; each only by the request that holds it.
create function complete_idempotent_requests(
  p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[]
) returns void language sql as $$
  update idempotent_requests i set completed_at = now(), answer = q.answer
  from unnest(p_workspace, p_key, p_idempotency_key, p_request, p_answer) as q (workspace, key, idempotency_key, request, answer)
  where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    and i.request_id = q.request and i.completed_at is null;
$$;
