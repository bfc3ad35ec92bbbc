-- The service tier that a request was charged in, such as 'priority'. Null: the standard one.
alter table receipts add column service_tier text;

-- What a provider asks in other service tiers for the row's length of input: rates by class of tokens, as digits, by tier, such as
-- {"flex": {"input": "625000", …}}. Null if nothing is known of it.
alter table cost_versions add column service_tiers jsonb;
