-- Keeps a workspace that is paused or lives in another cell, and its rows, from being changed: they are copied, or were. The lock of
-- the workspace's row lets each change come before a pause, or see it. What arrives, or takes a person out, says so first.
create or replace function keep_paused() returns trigger language plpgsql as $$
declare
  v_workspace uuid;
  v_paused timestamptz;
  v_moved text;
begin
  if tg_table_name = 'workspaces' then
    -- A change that begins or ends the pause or the stay in another cell passes.
    if (old.paused_at, old.moved_to) is not distinct from (new.paused_at, new.moved_to) then
      v_paused := old.paused_at;
      v_moved := old.moved_to;
      v_workspace := old.id;
    end if;
  else
    v_workspace := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
    select paused_at, moved_to into v_paused, v_moved from workspaces where id = v_workspace for key share;
  end if;
  if v_paused is not null then
    raise exception 'workspace % is moving to another cell', v_workspace using errcode = 'lock_not_available';
  elsif v_moved is not null and current_setting('faregate.remains', true) is distinct from 'on' then
    raise exception 'workspace % has moved to the cell %', v_workspace, v_moved using errcode = 'FG004';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;
