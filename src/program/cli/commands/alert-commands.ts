import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { type CliContext, globalsOf } from '../cli-context.ts';
import { example } from '../example.ts';
import { countUpTo, onceOption, usd } from '../option-values.ts';
import { pairs, table } from '../text-layout.ts';

type Rule = Awaited<ReturnType<AdminClient['updateAlertRule']>>;
type Body = Parameters<AdminClient['createAlertRule']>[1];

/** What an option lists, or "none" alone. */
type Named<Name extends string> = readonly ['none'] | Name[];

const OWNER = "id or name; left out: the operator's own";
const KINDS = ['balance_below', 'balance_share', 'runway', 'project_budget', 'key_limit', 'auto_top_up_stopped'];

interface RuleOptions {
  readonly name?: string;
  readonly below?: string;
  readonly percent?: number;
  readonly days?: number;
  readonly mailRole?: Named<NonNullable<Body['mail_roles']>[number]>;
  readonly mailTo?: Named<string>;
  readonly enable?: true;
  readonly disable?: true;
}

interface CreationOptions extends RuleOptions {
  readonly name: string;
  readonly kind: Body['kind'];
  readonly subject?: string;
  readonly once?: string;
}

/** `alert list`, and `alert-rule list|create|update|delete`. */
export function addAlertCommands(program: Command, context: CliContext): void {
  program
    .command('alert')
    .summary('crossings of thresholds')
    .command('list')
    .summary('list the alerts of a workspace, newest first')
    .argument('[workspace]', OWNER)
    .option('--open', 'only those whose value is not back yet')
    .option('--rule <id>', 'only those of this rule')
    .addHelpText('after', example('alert list acme --open'))
    .action(async (workspace: string | undefined, own: { open?: true; rule?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const filter = definedFields({ open: own.open === true ? ('true' as const) : undefined, rule: own.rule });
      const data = await readAllPages((page) => client.listAlerts(workspace ?? null, { ...page, ...filter }));
      const rows = data.map((each) => [each.raised_at, each.resolved_at ?? 'open', each.kind, each.summary]);
      context.print(options, { data }, table(['RAISED', 'RESOLVED', 'KIND', 'SUMMARY'], rows, 'There are no alerts.'));
    });
  addRuleCommands(program.command('alert-rule').summary('thresholds that raise alerts'), context);
}

function addRuleCommands(rule: Command, context: CliContext): void {
  rule
    .command('list')
    .summary('list the alert rules of a workspace')
    .argument('[workspace]', OWNER)
    .addHelpText('after', example('alert-rule list acme'))
    .action(async (workspace: string | undefined, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listAlertRules(workspace ?? null, page));
      const rows = data.map((each) => [
        each.name,
        each.kind,
        thresholdOf(each),
        each.enabled ? 'yes' : 'no',
        recipientsOf(each),
        each.id,
      ]);
      const headings = ['NAME', 'KIND', 'THRESHOLD', 'ENABLED', 'MAILED TO', 'ID'];
      context.print(options, { data }, table(headings, rows, 'There is no alert rule.'));
    });

  withSettings(rule.command('create').summary('create an alert rule of a workspace'))
    .argument('<workspace>', 'id or name')
    .requiredOption('--name <name>', 'what it is called')
    .addOption(new Option('--kind <kind>', 'what it watches').choices(KINDS).makeOptionMandatory())
    .option('--subject <id>', 'the one project or key that it is about (default: each)')
    .addOption(onceOption())
    .addHelpText(
      'after',
      example('alert-rule create acme --name low --kind balance_below --below 20 --mail-role owner'),
    )
    .action(async (workspace: string, own: CreationOptions, command: Command) => {
      const options = globalsOf(command);
      const { name, kind, subject, once } = own;
      const body = { ...settingsOf(own), name, kind, ...definedFields({ subject_id: subject, once }) };
      const made = await context.connect(options).createAlertRule(workspace, body);
      context.print(options, made, ruleText(made));
    });

  withSettings(rule.command('update').summary("change an alert rule, of a workspace or of the operator's"))
    .argument('<rule>', 'its id')
    .option('--workspace <workspace>', OWNER)
    .option('--name <name>', 'a new name')
    .addHelpText('after', example('alert-rule update 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11 --workspace acme --disable'))
    .action(async (id: string, own: RuleOptions & { workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const body = settingsOf(own);
      if (Object.keys(body).length === 0) command.error('nothing to change; give an option such as --disable');
      const changed = await context.connect(options).updateAlertRule(own.workspace ?? null, id, body);
      context.print(options, changed, ruleText(changed));
    });

  rule
    .command('delete')
    .summary('delete an alert rule of a workspace; its alerts stay in the history')
    .argument('<workspace>', 'id or name')
    .argument('<rule>', 'its id')
    .addHelpText('after', example('alert-rule delete acme 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11'))
    .action(async (workspace: string, id: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const deleted = await context.connect(options).deleteAlertRule(workspace, id);
      context.print(options, deleted, `Deleted ${deleted.name}.\n`);
    });
}

function withSettings(command: Command): Command {
  return command
    .option('--below <usd>', 'for balance_below: the amount', usd)
    .option('--percent <number>', 'for balance_share, project_budget and key_limit', countUpTo(100))
    .option('--days <number>', 'for runway', countUpTo(365))
    .option('--mail-role <role...>', 'members with these roles get a mail; none: no role')
    .option('--mail-to <address...>', 'so do these addresses; none: no address')
    .addOption(new Option('--enable', 'turn it on').conflicts('disable'))
    .option('--disable', 'turn it off');
}

/** Only the given options: others stay unchanged. */
function settingsOf({ name, below, percent, days, mailRole, mailTo, enable, disable }: RuleOptions) {
  return definedFields({
    name,
    threshold_usd: below,
    percent,
    days,
    mail_roles: mailRole === undefined ? undefined : listOf(mailRole),
    mail_to: mailTo === undefined ? undefined : listOf(mailTo),
    enabled: enable ?? (disable === true ? false : undefined),
  });
}

function listOf<Name extends string>(names: Named<Name>): Name[] {
  return isNone(names) ? [] : names;
}

function isNone(names: Named<string>): names is readonly ['none'] {
  return names.length === 1 && names[0] === 'none';
}

function ruleText(rule: Rule): string {
  return pairs([
    ['id', rule.id],
    ['name', rule.name],
    ['kind', rule.kind],
    ['threshold', thresholdOf(rule)],
    ['about', rule.subject_name ?? rule.subject_id],
    ['enabled', rule.enabled ? 'yes' : 'no'],
    ['mailed to', recipientsOf(rule)],
  ]);
}

function thresholdOf({ threshold_usd: amount, percent, days }: Rule): string | null {
  if (amount !== null) return `${amount} USD`;
  if (percent !== null) return `${percent} %`;
  return days === null ? null : `${days} days`;
}

function recipientsOf({ mail_roles: roles, mail_to: addresses }: Rule): string {
  return [...roles, ...addresses].join(', ');
}
