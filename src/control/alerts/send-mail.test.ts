import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMailServer } from '../../../test/support/mail-server.ts';
import type { MailNotice } from './notice.ts';
import { sendMail } from './send-mail.ts';

const notice = (more: Partial<MailNotice> = {}): MailNotice => ({
  channel: 'mail',
  workspaceId: '00000000-0000-0000-0000-000000000000',
  id: '0199aaaa-0000-7000-8000-000000000001',
  attempt: 1,
  giveUpAt: new Date(0),
  to: 'ada@example.com',
  subject: 'Grüße from Faregate',
  text: 'A text',
  html: null,
  ...more,
});

const from = 'Faregate <faregate@gate.example>';

test('a mail arrives with its sender, recipient, subject, both forms, and an id that stays the same', async () => {
  const server = await startMailServer();
  const settings = { smtpUrl: server.url, from };
  expect(await sendMail(settings, notice({ html: '<p>A <b>text</b></p>' }))).toEqual({ kind: 'sent', status: null });
  await sendMail(settings, notice({ attempt: 2 }));
  const [first, second] = server.received;
  expect(first).toMatchObject({ from: 'faregate@gate.example', to: ['ada@example.com'] });
  expect(first?.message).toContain('From: Faregate <faregate@gate.example>');
  expect(first?.message).toContain('Subject: =?UTF-8?');
  expect(first?.message).toContain('A text');
  expect(first?.message).toContain('<p>A <b>text</b></p>');
  expect(first?.message).toContain('Auto-Submitted: auto-generated');
  const id = 'Message-ID: <0199aaaa-0000-7000-8000-000000000001@gate.example>';
  expect(first?.message).toContain(id);
  expect(second?.message).toContain(id);
});

test('a recipient or subject that looks like more headers reaches nobody else', async () => {
  const server = await startMailServer();
  const settings = { smtpUrl: server.url, from };
  await sendMail(settings, notice({ subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nA body' }));
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.to).toEqual(['ada@example.com']);
  expect(server.received[0]?.message).not.toMatch(/^Bcc:/im);
});

test('an SMTP server that knows no such mailbox makes the mail fail for good', async () => {
  const server = await startMailServer({ refuse: 550 });
  expect(await sendMail({ smtpUrl: server.url, from }, notice())).toEqual({
    kind: 'rejected',
    reason: expect.stringMatching(/^the SMTP server said: 550 /),
    status: 550,
  });
});

test('an SMTP server that is busy gets the mail again later', async () => {
  const server = await startMailServer({ refuse: 451 });
  expect(await sendMail({ smtpUrl: server.url, from }, notice())).toEqual({
    kind: 'failed',
    reason: expect.stringMatching(/^the SMTP server said: 451 /),
    status: 451,
    retryAfterMs: 0,
  });
});

test('an SMTP server that refuses the account gets the mail again later, and no password is named', async () => {
  const server = await startMailServer({ password: 'right' });
  const smtpUrl = server.url.replace('smtp://', 'smtp://user:wrong-password@');
  const result = await sendMail({ smtpUrl, from }, notice());
  expect(result).toMatchObject({ kind: 'failed', status: 535 });
  expect(JSON.stringify(result)).not.toContain('wrong-password');
  const right = server.url.replace('smtp://', 'smtp://user:right@');
  expect(await sendMail({ smtpUrl: right, from }, notice())).toMatchObject({ kind: 'sent' });
});

test('an SMTP server that closes the connection, or is not there, gets the mail again later', async () => {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await sendMail({ smtpUrl, from }, notice())).toMatchObject({ kind: 'failed' });
  server.close();
  await once(server, 'close');
  expect(await sendMail({ smtpUrl, from }, notice())).toEqual({
    kind: 'failed',
    reason: 'the SMTP server could not be used (ESOCKET)',
    status: null,
    retryAfterMs: 0,
  });
});

test.each([
  [499, 'failed'],
  [500, 'rejected'],
])('an SMTP server that answers a recipient by %d makes the attempt be %s', async (code, kind) => {
  const { url } = await startMailServer({ refuse: code });
  expect(await sendMail({ smtpUrl: url, from }, notice())).toMatchObject({ kind, status: code });
});

test('an SMTP server that will not take what a mail says makes it fail for good', async () => {
  const { url } = await startMailServer({ refuseContent: 554 });
  expect(await sendMail({ smtpUrl: url, from }, notice())).toMatchObject({ kind: 'rejected', status: 554 });
});

test('what an SMTP server says in several lines, or at length, is one line that is cut', async () => {
  const server = createServer((socket) => {
    socket.write('220 mail.example\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const isRecipient = data.toString().startsWith('RCPT');
      socket.write(isRecipient ? `550-No.\r\n550-Never.\r\n550 ${'x'.repeat(300)}\r\n` : '250 Fine\r\n');
    });
  });
  onTestFinished(async () => {
    server.close();
    await once(server, 'close');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await sendMail({ smtpUrl, from }, notice())).toEqual({
    kind: 'rejected',
    reason: `the SMTP server said: ${`550-No. 550-Never. 550 ${'x'.repeat(300)}`.slice(0, 200)}`,
    status: 550,
  });
});

test('an attempt that takes too long gets the mail sent again later', async () => {
  const { url } = await startMailServer();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort(new Error('it took too long')));
  expect(await sendMail({ smtpUrl: url, from }, notice())).toEqual({
    kind: 'failed',
    reason: expect.stringMatching(/^the SMTP server could not be used/),
    status: null,
    retryAfterMs: 0,
  });
});

test.each([
  ['faregate@one.example', 'one.example'],
  ['"A @ b" <faregate@two.example> ', 'two.example'],
  ['nobody', 'localhost'],
])('a mail from %s has its id at %s', async (sender, domain) => {
  const server = await startMailServer();
  await sendMail({ smtpUrl: server.url, from: sender }, notice());
  const message = server.received[0]?.message ?? '';
  expect(message).toContain(`Message-ID: <0199aaaa-0000-7000-8000-000000000001@${domain}>`);
  // Without a form in HTML it is plain text alone.
  expect(message).not.toMatch(/text\/html|multipart/);
});

/** What nodemailer is given for a mail, and what comes of it, by a transport that sends nothing and fails with `thrown`. */
async function handedOver(thrown: { readonly thrown: unknown } | null = null) {
  const transport = { sendMail: vi.fn<(mail: object) => Promise<void>>(), close: vi.fn<() => void>() };
  if (thrown !== null) transport.sendMail.mockRejectedValueOnce(thrown.thrown);
  const createTransport = vi.fn<(options: object) => typeof transport>(() => transport);
  vi.doMock('nodemailer', () => ({ createTransport }));
  onTestFinished(() => vi.doUnmock('nodemailer'));
  const result = await sendMail({ smtpUrl: 'smtp://mail.example', from }, notice());
  expect(transport.close).toHaveBeenCalledOnce();
  return { options: createTransport.mock.calls[0]?.[0], mail: transport.sendMail.mock.calls[0]?.[0], result };
}

test('a mail is handed over within bounds of time, and reads no file or address that is named in it', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { options, mail, result } = await handedOver();
  expect(options).toEqual({
    url: 'smtp://mail.example',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  expect(mail).toEqual({
    from,
    to: { name: '', address: 'ada@example.com' },
    subject: 'Grüße from Faregate',
    text: 'A text',
    messageId: '<0199aaaa-0000-7000-8000-000000000001@gate.example>',
    headers: { 'Auto-Submitted': 'auto-generated' },
    signal: expect.any(AbortSignal),
  });
  expect(timeout.mock.calls).toEqual([[60_000]]);
  expect(result).toEqual({ kind: 'sent', status: null });
});

const fault = (fields: object): Error => Object.assign(new Error('10.0.0.1'), fields);

// What a transport fails with, and what is known of it; an address of the network is never said.
test.each<[string, unknown, object]>([
  [
    'an error without a code',
    fault({}),
    { kind: 'failed', status: null, reason: 'the SMTP server could not be used (unknown)' },
  ],
  ['no error', { code: 'EDNS' }, { kind: 'failed', status: null, reason: expect.stringContaining('(unknown)') }],
  ['a code that is no text', fault({ code: 7 }), { kind: 'failed', reason: expect.stringContaining('(unknown)') }],
  ['a status that is no number', fault({ code: 'EENVELOPE', responseCode: '550' }), { kind: 'failed', status: null }],
  ['a refused account', fault({ code: 'EAUTH', responseCode: 550 }), { kind: 'failed', status: 550 }],
  ['a refused recipient', fault({ code: 'EENVELOPE', responseCode: 550 }), { kind: 'rejected', status: 550 }],
  ['refused content', fault({ code: 'EMESSAGE', responseCode: 554 }), { kind: 'rejected', status: 554 }],
])(
  'a mail that fails by %s is tried again, unless the server has refused the mail itself',
  async (_, thrown, result) => {
    expect((await handedOver({ thrown })).result).toMatchObject(result);
  },
);
