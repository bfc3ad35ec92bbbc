import { Command, CommanderError } from 'commander';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';
import { AdminRefused, AdminUnreachable } from '../../control/admin/client/send.ts';
import { ConfigFault } from '../../config/config-fault.ts';
import type { Environment } from '../../config/variables.ts';
import { CliContext, type Failure, type ProgramParts, type Surroundings } from './cli-context.ts';
import { addAlertCommands } from './commands/alert-commands.ts';
import { addAuditCommands } from './commands/audit-commands.ts';
import { addAutoTopUpCommands } from './commands/auto-top-up-commands.ts';
import { addBackupCommands } from './commands/backup-commands.ts';
import { addCellCommands } from './commands/cell-commands.ts';
import { addCatalogueCommands } from './commands/catalogue-commands.ts';
import { addConfigCommands } from './commands/config-commands.ts';
import { addCreditCommands } from './commands/credit-commands.ts';
import { addDeliveryCommands } from './commands/delivery-commands.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import { addInitCommand } from './commands/init-command.ts';
import { addKeyCommands } from './commands/key-commands.ts';
import { addLedgerCommands } from './commands/ledger-commands.ts';
import { addCodeCommands } from './commands/code-commands.ts';
import { addInvitationCommands, addMemberCommands } from './commands/member-commands.ts';
import { addMigrateCommand } from './commands/migrate-command.ts';
import { addModelCommands } from './commands/model-commands.ts';
import { addEndUserCommands } from './commands/end-user-commands.ts';
import { addProjectCommands } from './commands/project-commands.ts';
import { addReceiptCommand } from './commands/receipt-command.ts';
import { addRequestsCommand } from './commands/requests-command.ts';
import { addOfferCommands } from './commands/offer-commands.ts';
import { addProviderCommands } from './commands/provider-commands.ts';
import { addRestartCommand } from './commands/restart-command.ts';
import { addStartCommand } from './commands/start-command.ts';
import { addSecretsCommands } from './commands/secrets-commands.ts';
import { addStatusCommands } from './commands/status-commands.ts';
import { addTokenCommands } from './commands/token-commands.ts';
import { addTopUpCommands } from './commands/top-up-commands.ts';
import { addUserCommands } from './commands/user-commands.ts';
import { addUsageCommand } from './commands/usage-command.ts';
import { addSinkCommands } from './commands/sink-commands.ts';
import { addWebhookCommands } from './commands/webhook-commands.ts';
import { addAccessCommands, addDirectoryCommands, addDomainCommands } from './commands/workspace-access-commands.ts';
import { addWorkspaceCommands } from './commands/workspace-commands.ts';
import { addWorkspaceFileCommands } from './commands/workspace-file-commands.ts';
import { processSurroundings } from './process-surroundings.ts';

/**
 * Runs one command of `faregate` and returns the exit code. `argv` begins after the program's name. A failure is one
 * line on stderr, with --json a JSON object; only a bug of the program shows its stack.
 */
export async function runCli(
  argv: readonly string[],
  parts: ProgramParts,
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const context = new CliContext(surroundings, parts, isJsonWanted(argv));
  try {
    await programFor(context).parseAsync([...argv], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    context.fail(failureOf(error, surroundings.env));
    return 1;
  }
}

/** Whether --json was given. Needed before parsing, since failures to parse are printed as JSON too. */
function isJsonWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

/** The commands, in the groups of `faregate --help`. */
const GROUPS = [
  [
    'The instance:',
    [
      addInitCommand,
      addStartCommand,
      addStatusCommands,
      addDoctorCommand,
      addRestartCommand,
      addSecretsCommands,
      addConfigCommands,
      addBackupCommands,
      addMigrateCommand,
      addCellCommands,
    ],
  ],
  ['Models and prices:', [addCatalogueCommands, addOfferCommands, addModelCommands, addProviderCommands]],
  [
    'Workspaces:',
    [
      addWorkspaceCommands,
      addProjectCommands,
      addEndUserCommands,
      addKeyCommands,
      addAccessCommands,
      addDomainCommands,
      addDirectoryCommands,
      addWorkspaceFileCommands,
    ],
  ],
  ['Credit and payments:', [addCreditCommands, addTopUpCommands, addAutoTopUpCommands, addCodeCommands]],
  ['Requests:', [addRequestsCommand, addReceiptCommand, addUsageCommand, addLedgerCommands]],
  [
    'People and access:',
    [addUserCommands, addMemberCommands, addInvitationCommands, addTokenCommands, addAuditCommands],
  ],
  ['Alerts:', [addAlertCommands, addWebhookCommands, addDeliveryCommands]],
  ['Sinks:', [addSinkCommands]],
] as const;

/** The commands, which print to the context's surroundings. */
export function programFor(context: CliContext): Command {
  const program = new Command(context.command)
    .description('A prepaid, OpenAI-compatible model gateway.')
    .version(PROGRAM_VERSION)
    .option('--json', 'print JSON for programs')
    .option('--url <url>', 'the running instance (FAREGATE_URL; default: the address in its data directory)')
    .option('--data <directory>', 'the data directory (FAREGATE_DATA; default: ./data)')
    .option('--config <file>', 'the config file (FAREGATE_CONFIG; default: ./faregate.yaml)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.surroundings.out(context.asRun(text)),
      writeErr: (text) => context.surroundings.err(text),
      outputError: (text) => context.fail({ code: 'USAGE', message: text.replace(/^error: /, '').trim() }),
    });
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, context);
  }
  return program;
}

/** What to do about an operator token that the instance does not know. */
function remedyOfToken({ FAREGATE_OPERATOR_TOKEN: token = '' }: Environment): string {
  return token === ''
    ? 'Give the data directory of the instance with --data, or set FAREGATE_OPERATOR_TOKEN'
    : 'Correct FAREGATE_OPERATOR_TOKEN, or unset it and give the data directory of the instance with --data';
}

function failureOf(error: unknown, env: Environment): Failure {
  if (!(error instanceof Error)) return { code: 'FAILED', message: String(error) };
  const { message } = error;
  if (error instanceof AdminUnreachable)
    return {
      code: 'UNREACHABLE',
      message: `${message}; start one with "faregate start", or give its address with --url`,
    };
  if (error instanceof AdminRefused) {
    const remedy = error.status === 401 ? ` ${remedyOfToken(env)}` : '';
    return { code: error.code, message: `${message}${remedy}`, param: error.param };
  }
  if (error instanceof ConfigFault) return { code: 'INVALID_CONFIG', message };
  return isBug(error)
    ? { code: 'BUG', message: `this is a bug: ${error.stack ?? message}` }
    : { code: 'FAILED', message };
}

/** Errors that only a mistake in the program can cause, no input and no peer. */
function isBug(error: Error): boolean {
  return ['AssertionFailure', 'TypeError', 'ReferenceError', 'RangeError'].includes(error.name);
}
