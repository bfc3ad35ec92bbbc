/** The embedded PostgreSQL can't be run. The message is one line that says why and what to do. */
export class EmbeddedPostgresFault extends Error {
  override readonly name = 'EmbeddedPostgresFault';
}
