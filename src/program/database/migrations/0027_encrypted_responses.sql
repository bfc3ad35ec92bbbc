-- Responses are kept encrypted: the request's own items, the answer's items and the answer whole, each by itself, so that one
-- can be read without the others. `items` is the first and the second, one behind the other, and `input_length` the length of
-- the first, as they are stored. Items of answers start in the second as it was before.
alter table stored_responses add column encrypted boolean not null default false;
create index stored_responses_clear on stored_responses (request_id) where not encrypted;
drop function if exists find_response_chain(uuid, text, bigint, integer);
drop function if exists find_response_input(uuid, text, bigint, integer);
drop function if exists find_response_items(uuid, text[], bigint);
drop function if exists read_response(uuid, text);
