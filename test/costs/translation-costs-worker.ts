import { parentPort } from 'node:worker_threads';
import { APART_BYTES, startTranslated } from '../../src/gate/upstreams/translated-attempt.ts';
import type { Translation } from '../../src/gate/upstreams/translation.ts';
import { RecordingSink } from '../support/recording-sink.ts';
import { longestPiece, slowness } from './computing.ts';

// Translates requests of shapes that cost much for their bytes, and reports what takes too long in one piece of the event
// loop: as large as they may come, and as large as they may be translated within it.

const PIECE_MS_MAX = 50;
const BODY_BYTES_MAX = 32 * 2 ** 20;

const call = { model: 'm', maxTokens: 5, stream: false, version: '2023-06-01' };

/** What kinds make of the same body. */
const KINDS: Readonly<Record<string, (body: Buffer) => Translation>> = {
  anthropic: (body) => ({ to: 'anthropic', body, call }),
  gemini: (body) => ({ to: 'gemini', body, maxTokens: 5, choices: 1, upstreamModel: 'gemini-2.5-flash', cap: null }),
};

const chat = (messages: string): string => `{"model":"m","messages":[{"role":"user","content":"hi"},${messages}]}`;
const filled = (unit: string, bytes: number): string => unit.repeat(bytes / unit.length);
const called = (args: string, answer: string): string =>
  chat(
    `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"${args}"}}]},` +
      `{"role":"tool","tool_call_id":"a","content":"${answer}"}`,
  );
/** As many as a body may have. */
const MESSAGES_MAX = 9_000;
const SHORT_MESSAGE_BYTES = 60;
const messages = (bytes: number): string => {
  const count = Math.min(MESSAGES_MAX, Math.floor(bytes / SHORT_MESSAGE_BYTES));
  const text = filled('a', bytes / count - SHORT_MESSAGE_BYTES);
  return Array(count).fill(`{"role":"user","content":[{"type":"text","text":"${text}"}]}`).join(',');
};

/** Bodies of about so many bytes. */
const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  'a plain text': (bytes) => chat(`{"role":"user","content":"${filled('a', bytes)}"}`),
  'a text of quotes': (bytes) => chat(`{"role":"user","content":"${filled('\\"', bytes)}"}`),
  'messages of one part': (bytes) => chat(messages(bytes)),
  'arguments of numbers': (bytes) => called(`{\\"a\\":[${filled('1,', bytes)}1]}`, ''),
  'a tool that answers with lines': (bytes) => called('{}', filled('a\\n', bytes)),
  'a plain document': (bytes) => {
    const url = `data:text/plain;base64,${filled('AAAA', bytes)}`;
    return chat(`{"role":"user","content":[{"type":"file","file":{"file_data":"${url}"}}]}`);
  },
};

/** Translates the body, and gives back how long the event loop computed in one piece, and what was heard instead. */
async function pieceMsOf(translation: Translation): Promise<number> {
  const sink = new RecordingSink();
  let isSent = false;
  setImmediate(() => {
    startTranslated(translation, sink, () => {
      isSent = true;
      return { pause() {}, resume() {}, abort() {} };
    });
  });
  return longestPiece(() => isSent || sink.endings.length > 0);
}

const dear: string[] = [];
for (const [shape, textOf] of Object.entries(SHAPES)) {
  for (const bytes of [APART_BYTES - 2_000, BODY_BYTES_MAX - 2_000]) {
    const body = Buffer.from(textOf(bytes));
    for (const [kind, translationOf] of Object.entries(KINDS)) {
      let tookMs = Infinity;
      let pace = 1;
      for (let tries = 0; tries < 3 && tookMs >= PIECE_MS_MAX * pace; tries++) {
        tookMs = await pieceMsOf(translationOf(body));
        if (tookMs >= PIECE_MS_MAX) pace = slowness();
      }
      if (tookMs < PIECE_MS_MAX * pace) continue;
      dear.push(
        `${bytes} bytes of ${shape} to ${kind}: ${tookMs.toFixed(1)} ms, at ${pace.toFixed(2)} of the time expected`,
      );
    }
  }
}
parentPort?.postMessage(dear, []);
