-- A limit that is raised for a time, beside the ordinary one: until that instant the greater of both holds. Of a purse, a copy of its
-- subject's, as the limit is.
alter table keys add column raised_limit_nano_usd bigint;
alter table keys add column raised_until timestamptz;
alter table projects add column raised_limit_nano_usd bigint;
alter table projects add column raised_until timestamptz;
alter table member_limits add column raised_limit_nano_usd bigint;
alter table member_limits add column raised_until timestamptz;
alter table purses add column raised_limit_nano_usd bigint;
alter table purses add column raised_until timestamptz;
