/** Another process of the program did not answer in time. It may have done what was requested. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}
