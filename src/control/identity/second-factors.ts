/** SQL: whether a row of `users` has a second factor: an authenticator app that is confirmed, or a passkey. */
export const HAS_SECOND_FACTOR = `(
  exists (select from authenticators where authenticators.user_id = users.id and confirmed_at is not null)
  or exists (select from passkeys where passkeys.user_id = users.id)
)`;
