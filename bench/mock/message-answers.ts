import { burstOf, namedEvents, plainAnswer, SAID, streamOf, TOKEN } from './answer-bytes.ts';

// What the mock upstream says as Anthropic writes it.

const MESSAGE = {
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'mock',
  content: [{ type: 'text', text: SAID }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 },
};

const DELTA = namedEvents({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TOKEN } });

export const MESSAGE_PLAIN = plainAnswer(JSON.stringify(MESSAGE));

export const MESSAGE_STREAM = streamOf({
  first:
    namedEvents(
      { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ) + DELTA,
  chunk: DELTA,
  last: namedEvents(
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ),
});

export const MESSAGE_BURST = burstOf(MESSAGE_STREAM);
