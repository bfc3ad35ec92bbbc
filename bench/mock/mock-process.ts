import { type AddressInfo, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { answerCalls } from '../child-calls.ts';
import { BURST_CHUNKS, type StreamBytes } from './answer-bytes.ts';
import { BURST, CHAT, EMBEDDINGS, NOT_FOUND, PEOPLE, STREAM } from './answers.ts';
import { MESSAGE_BURST, MESSAGE_PLAIN, MESSAGE_STREAM } from './message-answers.ts';
import { PacedStreams } from './paced-streams.ts';
import { RequestReader } from './request-reader.ts';
import { RESPONSE_BURST, RESPONSE_PLAIN, RESPONSE_STREAM } from './response-answers.ts';

// An upstream that costs as little as it can: bare sockets and answers that were made beforehand. It shares no code
// with the gateway. The first part of a path says how it answers: /plain/v1/chat/completions, /stream/v1/…

let served = 0;
let chunks = 0;
const silent = new Set<Socket>();
const paced = new PacedStreams(() => (chunks += 1));

type Answer = (socket: Socket) => void;

const plain =
  (bytes: Buffer): Answer =>
  (socket) =>
    void socket.write(bytes);
const stream =
  (bytes: StreamBytes): Answer =>
  (socket) =>
    paced.begin(socket, bytes);
const burst =
  (bytes: Buffer): Answer =>
  (socket) => {
    chunks += BURST_CHUNKS;
    socket.write(bytes);
  };

const ANSWERS: Readonly<Record<string, Answer>> = {
  plain: plain(CHAT),
  people: plain(PEOPLE),
  embeddings: plain(EMBEDDINGS),
  stream: stream(STREAM),
  burst: burst(BURST),
  silent(socket) {
    chunks += 1;
    socket.write(STREAM.head);
    silent.add(socket);
  },
  'plain-messages': plain(MESSAGE_PLAIN),
  'stream-messages': stream(MESSAGE_STREAM),
  'burst-messages': burst(MESSAGE_BURST),
  'plain-responses': plain(RESPONSE_PLAIN),
  'stream-responses': stream(RESPONSE_STREAM),
  'burst-responses': burst(RESPONSE_BURST),
};

const server = createServer({ noDelay: true }, (socket) => {
  const reader = new RequestReader((path) => {
    const answer = path.endsWith('/models') ? undefined : ANSWERS[path.split('/', 2)[1] ?? ''];
    if (answer === undefined) {
      socket.write(NOT_FOUND);
      return;
    }
    served += 1;
    answer(socket);
  });
  socket.on('data', (bytes: Buffer) => reader.push(bytes));
  socket.on('error', () => socket.destroy());
});

answerCalls({
  async listen() {
    await once(server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }), 'listening');
    return (server.address() as AddressInfo).port;
  },
  counts: () => ({ served, chunks }),
  /** Ends the streams that have been silent since their first chunk. */
  endSilent() {
    for (const socket of silent) socket.write(STREAM.end);
    silent.clear();
  },
});
