-- What a payment had as tax beside credit and fee, as its provider reports.
alter table top_ups add column tax_nano_usd bigint not null default 0;
