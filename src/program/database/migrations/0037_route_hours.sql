-- How the attempts at each route ended, by the hour in which their requests ended, for a day. `faults` has failures by kind;
-- `first_event` and `whole` have counts by class of the time to a stream's first data event and to the end of an answer; `fault` has
-- the kind, the status and the request of the last failure.
create table route_hours (
  hour timestamptz not null,
  model text not null,
  provider text not null,
  upstream_model text not null,
  answered bigint not null,
  rejected bigint not null,
  abandoned bigint not null,
  faults jsonb not null,
  first_event bigint[] not null,
  whole bigint[] not null,
  answered_at timestamptz,
  fault_at timestamptz,
  fault jsonb,
  primary key (hour, model, provider, upstream_model)
);
