/** One event of a stream: the name that it was given, if any, and its payload. */
export interface EventFrame {
  readonly name: string | null;
  readonly data: string;
}

/**
 * The events of a whole stream, or of some of its whole events. Throws where a blank line ends an event without data:
 * clients such as openai-go 1 and 2 take its empty payload for JSON, and fail.
 */
export function framesOf(text: string): readonly EventFrame[] {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  // A comment that comes last is a line of an event that is still to come.
  if (!/^(:[^\n]*\n)*$/.test(rest)) throw new Error(`the stream ends within an event: ${JSON.stringify(rest)}`);
  return blocks.map((block) => {
    const lines = block.split('\n');
    const valuesOf = (field: string): string[] =>
      lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
    const data = valuesOf('data');
    if (data.length === 0) throw new Error(`an event has no data: ${JSON.stringify(block)}`);
    return { name: valuesOf('event').at(-1) ?? null, data: data.join('\n') };
  });
}
