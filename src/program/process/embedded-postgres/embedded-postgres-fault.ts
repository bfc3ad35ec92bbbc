/** The embedded PostgreSQL can't be run. The message is one line with the reason and the remedy. */
export class EmbeddedPostgresFault extends Error {
  override readonly name = 'EmbeddedPostgresFault';
}
