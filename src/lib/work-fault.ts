/** Work that was not asked for by anybody could not be done. The message is for the operator: what, where, what would be right. */
export class WorkFault extends Error {
  override readonly name = 'WorkFault';
}
