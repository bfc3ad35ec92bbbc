-- Whether answers to a project's keys have their charge in their usage, unless a request says otherwise.
alter table projects add column reports_cost boolean not null default false;

-- They take or return rows of that table, and what a key's holder is.
drop function if exists update_project(uuid, uuid, jsonb);
drop function if exists apply_budget(projects);
drop function if exists find_principals(bytea[]);
