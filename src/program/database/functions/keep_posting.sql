-- Keeps postings from being changed or deleted, but for the address of an actor who is erased: src/domain/erased.ts.
create or replace function keep_posting() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.actor like '%@erased.invalid' and to_jsonb(new) - 'actor' = to_jsonb(old) - 'actor' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
