import { oneLine } from '../lib/one-line.ts';

/** The configuration can't be used. The message is one line: place, fault; remedy. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  readonly where: string;
  readonly problem: string;

  constructor(where: string, problem: string, options?: ErrorOptions) {
    super(oneLine(`${where}: ${problem}`, ' '), options);
    this.where = where;
    this.problem = problem;
  }
}
