import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

// An SMTP server that keeps the mails it gets.

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, with its headers. */
  readonly message: string;
}

export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
}

interface Options {
  /** Answers each recipient with this code. */
  readonly refuse?: number;
  /** Answers what each mail says with this code. */
  readonly refuseContent?: number;
  /** Takes mails from users with this password alone. */
  readonly password?: string;
}

/** What makes the server answer with this code; null: it takes it. */
function refusedBy(code: number | undefined): Error | null {
  return code === undefined ? null : Object.assign(new Error('refused'), { responseCode: code });
}

/** Starts one, which ends with the test. */
export async function startMailServer({ refuse, refuseContent, password }: Options = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    authOptional: password === undefined,
    disableReverseLookup: true,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: 'user' }) : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) => done(refusedBy(refuse)),
    onData: (stream, session, done) => {
      let message = '';
      stream.setEncoding('utf8');
      stream.on('data', (piece: string) => (message += piece));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        if (refuseContent === undefined) received.push({ from, to: rcptTo.map(({ address }) => address), message });
        done(refusedBy(refuseContent));
      });
    },
  });
  server.on('error', () => undefined);
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
  };
}
