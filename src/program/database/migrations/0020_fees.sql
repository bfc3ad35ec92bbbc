-- What a receipt was charged beside its tokens: numbers of uses by their names, such as {"request": 1, "web_search": 3}. Null
-- if there was nothing of it.
alter table receipts add column uses jsonb;

-- What a provider asks beside tokens: nano-USD per use by its name, as digits. Null if nothing is known of it.
alter table cost_versions add column fees jsonb;
