-- The model that answers if the project's budget, or a key's or member's limit, doesn't cover the requested one. Null: none.
alter table projects add column model_when_spent text;
