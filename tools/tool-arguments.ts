import { parseArgs, type ParseArgsConfig } from 'node:util';

// The arguments of the tools, each of which has a line of usage.

/** Prints the problem and the usage, and ends the process with 2. */
export function endWithUsage(usage: string, problem: string): never {
  process.stderr.write(`${problem}\n${usage}\n`);
  process.exit(2);
}

/** The arguments of this process. With `--help`, and if they are wrong, the process prints the usage and ends instead. */
export function toolArguments<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return endWithUsage(usage, error.message);
  }
}
