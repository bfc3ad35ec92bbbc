import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

// A receiver of webhooks that keeps what it gets, and answers as a test wants.

export interface ReceivedWebhook {
  readonly id: string;
  readonly signature: string;
  readonly body: string;
  readonly path: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedWebhook[];
  /** How it answers from now on. */
  answer: Answer;
}

/** Answers with this status and nothing else. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();

/** Starts one, which ends with the test. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => {
        const header = (name: string): string => String(request.headers[name] ?? '');
        receiver.received.push({
          id: header('faregate-notice-id'),
          signature: header('faregate-signature'),
          body,
          path: request.url ?? '',
        });
        receiver.answer(response, request);
      })
      .catch(() => response.destroy());
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer: status(204),
  };
  return receiver;
}
