/** The data of each server-sent event of an answer, as it arrives. Comments are passed over. */
export async function* eventsOf(answer: Response): AsyncGenerator<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (rest + part.value).split(/\r?\n\r?\n/);
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = dataOf(event);
        if (data !== null) yield data;
      }
    }
  } finally {
    // A reader that stops early ends the request with it.
    reader.cancel().catch(() => undefined);
  }
}

function dataOf(event: string): string | null {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
}
