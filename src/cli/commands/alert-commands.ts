import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../admin/client.ts';
import { type CliContext, globalsOf } from '../cli-context.ts';
import { pairs, table } from '../text-layout.ts';

type Delivery = Awaited<ReturnType<AdminClient['testWebhook']>>;

const WORKSPACE = "id or name; left out: the operator's own";
/** How long a test may take before its command gives up on the outcome. */
const TEST_MS_MAX = 20_000;
const POLL_MS = 500;

/** `alerts list`, and `webhook create|list|test`. */
export function addAlertCommands(program: Command, context: CliContext): void {
  const alerts = program.command('alerts').summary('crossings of thresholds');
  alerts
    .command('list')
    .summary('list the alerts of a workspace, newest first')
    .argument('[workspace]', WORKSPACE)
    .option('--open', 'only those whose value is not back yet')
    .action(async (workspace: string | undefined, own: { readonly open?: true }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const open = own.open === true ? { open: 'true' as const } : {};
      const { data } = await client.listAlerts(workspace ?? null, { limit: 200, ...open });
      const rows = data.map((each) => [each.raised_at, each.resolved_at ?? 'open', each.kind, each.summary]);
      context.print(options, { data }, table(['RAISED', 'RESOLVED', 'KIND', 'SUMMARY'], rows, 'There are no alerts.'));
    });
  addWebhookCommands(program, context);
}

function addWebhookCommands(program: Command, context: CliContext): void {
  const webhook = program.command('webhook').summary('endpoints that alerts are sent to');
  webhook
    .command('create')
    .summary('create an endpoint; its secret is shown once')
    .argument('<url>', 'an https URL')
    .option('--workspace <workspace>', WORKSPACE)
    .action(async (url: string, own: { readonly workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const made = await context.connect(options).createWebhook(own.workspace ?? null, { url });
      const facts = pairs([
        ['id', made.id],
        ['url', made.url],
        ['secret', made.secret],
      ]);
      context.print(options, made, `${facts}\nKeep the secret now: it is not shown again.\n`);
    });
  webhook
    .command('list')
    .summary('list the endpoints')
    .argument('[workspace]', WORKSPACE)
    .action(async (workspace: string | undefined, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listWebhooks(workspace ?? null, page));
      const rows = data.map((each) => [each.url, each.enabled ? 'yes' : 'no', each.description, each.id]);
      context.print(options, { data }, table(['URL', 'ENABLED', 'DESCRIPTION', 'ID'], rows, 'There are no endpoints.'));
    });
  webhook
    .command('test')
    .summary('send a test to an endpoint, and wait for its outcome')
    .argument('<id>', 'id of the endpoint')
    .option('--workspace <workspace>', WORKSPACE)
    .action(async (id: string, own: { readonly workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const delivery = await testOutcome(context.connect(options), own.workspace ?? null, id);
      context.print(options, delivery, `${outcomeText(delivery)}\n`);
      if (delivery.state !== 'sent') context.complain('the endpoint did not receive the test');
    });
}

/** Sends a test, and returns its delivery once there was an attempt, or too much time has passed. */
async function testOutcome(client: AdminClient, workspace: string | null, id: string): Promise<Delivery> {
  let delivery = await client.testWebhook(workspace, id);
  const untilMs = performance.now() + TEST_MS_MAX;
  while (delivery.state === 'waiting' && delivery.last_error === null && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const { data } = await client.listDeliveries(workspace, { webhook: id, limit: 20 });
    delivery = data.find((each) => each.id === delivery.id) ?? delivery;
  }
  return delivery;
}

function outcomeText({ state, recipient, last_status: status, last_error: error }: Delivery): string {
  if (state === 'sent') return `${recipient} answered ${status}.`;
  return `${recipient}: ${error ?? 'no attempt was made yet'}.`;
}
