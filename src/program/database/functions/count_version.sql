-- Counts the version of a row that people edit, whichever statement changes it. A row that arrives from another cell has its own.
create or replace function count_version() returns trigger language plpgsql as $$
begin
  if current_setting('faregate.landing', true) is distinct from 'on' then
    new.version := old.version + 1;
  end if;
  return new;
end $$;
