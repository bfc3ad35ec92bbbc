-- A stored response in pieces; of several with the same id, the newest. No row: there is none.
create or replace function read_response(p_workspace uuid, p_response text) 
returns table (request_id uuid, encrypted boolean, piece bytea)
language sql stable set enable_seqscan = off as $$
  select newest.request_id, newest.encrypted, substring(newest.response from p.at + 1 for 262144)
  from (
    select r.request_id, r.encrypted, r.response from stored_responses r
    where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
    order by r.request_id desc limit 1
  ) newest
  cross join lateral generate_series(0, octet_length(newest.response) - 1, 262144) as p (at)
  order by p.at
$$;
