-- The keys of a project in their order, so that a page of them is read by index alone.
drop index keys_project;
create index keys_project on keys (workspace_id, project_id, id);
