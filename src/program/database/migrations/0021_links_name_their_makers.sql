-- Who made a link or an invitation for another, so that it ends with their right: a user, an operator token or a user's
-- access token; neither: the instance's own token, or a user who had a mail sent to themselves.
alter table one_time_links
  add column made_by_user uuid references users (id),
  add column made_by_token uuid,
  -- The workspace by a right in which it was made; null: by an operator's right.
  add column by_right_in uuid references workspaces (id);
alter table invitations add column invited_by_token uuid;

-- Nothing says who made those that are open.
update one_time_links set claimed_at = now() where purpose = 'reset' and not mailed and claimed_at is null;
