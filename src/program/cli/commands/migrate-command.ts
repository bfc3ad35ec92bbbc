import type { Command } from 'commander';
import { loadConfig } from '../../../config/load-config.ts';
import { describePlan } from '../../../control/doctor/upgrade-plan.ts';
import { counted } from '../../../lib/counted.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';

/** `migrate`: upgrade the database's schema before the program is started, or say what a start would do. */
export function addMigrateCommand(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .summary('upgrade the database as a start does, without serving')
    .description(
      'Upgrades the schema of the database as a start of this version does. Instances of the former release may serve on it.',
    )
    .option('--check', 'change nothing, and say what a start would do')
    .addHelpText('after', example('migrate --check'))
    .action(async (own: { readonly check?: boolean }, command: Command) => {
      const options = globalsOf(command);
      const config = loadConfig(context.configSources(options));
      if (own.check === true) {
        const plan = await context.parts.planUpgrade(config);
        context.print(options, plan, `${describePlan(plan)}\n`);
        if (plan.problem !== null) context.complain(plan.problem);
        return;
      }
      const { migrations, functions } = await context.parts.migrate(config);
      const text = `Applied ${counted(migrations, 'migration')} and ${counted(functions, 'function')}.\n`;
      context.print(options, { migrations, functions }, text);
    });
}
