-- Counts the version of a row that people edit, whichever statement changes it.
create or replace function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
