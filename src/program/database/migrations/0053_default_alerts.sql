-- Rules watch limits of members too, and alerts are about them. The program checks what these constraints checked.
alter table alert_rules drop constraint alert_rules_kind_check;
alter table alerts drop constraint alerts_subject_kind_check;
-- Which default rules the workspace was given: 1 those of release 0.2.0, 2 those of limits of keys and members besides.
alter table alert_watches add column defaults_version integer not null default 1;
