import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { startMailServer } from '../support/mail-server.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startWebhookReceiver, status } from '../support/webhook-receiver.ts';

// Alerts as their readers get them: the whole program, with workers, an SMTP server and a receiver of webhooks beside it.

/** The watch looks every second here, and the outbox every two. */
const SEEN_MS = 60_000;

interface Beside {
  readonly mail: Awaited<ReturnType<typeof startMailServer>>;
  readonly receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
}

async function withProgram(run: (program: Program, beside: Beside) => Promise<void>): Promise<void> {
  const mail = await startMailServer({ password: 'hunter2' });
  const receiver = await startWebhookReceiver();
  const program = await startProgram({
    args: ['--workers', '2'],
    config: `mail: { smtp_url: "${mail.url.replace('//', '//user:hunter2@')}", from: "Gate <gate@example.com>" }
alerts: { check_every: 1s }
webhooks: { allowed_networks: [127.0.0.0/8] }
`,
  });
  try {
    await run(program, { mail, receiver });
  } finally {
    await program.dispose();
  }
}

const waitFor = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: SEEN_MS, interval: 100 });

test(
  'a balance that runs low is mailed and sent to a signed webhook once, and shown by a command',
  { timeout: 240_000 },
  async () => {
    await withProgram(async (program, { mail, receiver }) => {
      const { name, id: workspaceId } = await program.admin.createWorkspace({ name: 'acme' });
      await program.admin.postCredit(name, { kind: 'grant', amount_usd: '10', reason: 'a test' });
      const endpoint = await program.json<{ id: string; secret: string }>(
        'webhook',
        'create',
        receiver.url,
        '--workspace',
        name,
      );
      receiver.answer = status(500);
      const failed = await program.cli('webhook', 'test', endpoint.id, '--workspace', name);
      expect(failed.code).toBe(1);
      expect(failed.stdout).toContain('it answered 500');
      receiver.answer = status(204);
      const tested = await program.cli('webhook', 'test', endpoint.id, '--workspace', name);
      expect(tested).toMatchObject({ code: 0, stdout: `${receiver.url} answered 204.\n` });
      receiver.received.length = 0;

      const rule = { name: 'half', kind: 'balance_below', threshold_usd: '5', mail_to: ['ada@example.com'] };
      const made = await fetch(`${program.url}/admin/v1/workspaces/${workspaceId}/alert-rules`, {
        method: 'POST',
        headers: { authorization: `Bearer ${program.operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(rule),
      });
      expect(made.status).toBe(201);
      await program.admin.postCredit(name, { kind: 'adjustment', amount_usd: '-6', reason: 'a test' });

      const raised = () => receiver.received.filter(({ body }) => body.includes('alerts.raised'));
      await waitFor(() => expect(raised()).toHaveLength(1));
      await waitFor(() => expect(mail.received).toHaveLength(1));
      const [delivery] = raised();
      const [, time = '', signature = ''] = /^t=(\d+),v1=(\w+)$/.exec(delivery?.signature ?? '') ?? [];
      const hmac = createHmac('sha256', endpoint.secret).update(`${time}.${delivery?.body}`).digest('hex');
      expect(signature).toBe(hmac);
      const summary = 'The balance of "acme" is 4.00 USD, below 5.00 USD.';
      expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ alerts: [{ summary }], rule: { name: 'half' } });
      expect(mail.received).toMatchObject([{ from: 'gate@example.com', to: ['ada@example.com'] }]);
      expect(mail.received[0]?.message).toContain(summary);

      const listed = await program.cli('alert', 'list', name, '--open');
      expect(listed.stdout).toContain(summary);
      expect((await program.cli('webhook', 'list', name)).stdout).toContain(receiver.url);
      expect(await program.json('alert', 'list')).toEqual({ data: [] });
      expect(program.stderr()).not.toContain(endpoint.secret);
      expect(program.stderr()).not.toContain('hunter2');
      expect((await program.cli('config', 'print')).stdout).not.toContain('hunter2');
    });
  },
);
