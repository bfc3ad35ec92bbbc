/** The body of an answer; of a stream of events, which has no end, nothing. */
export async function textOfAnswer(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return await response.text();
  await response.body?.cancel();
  return '';
}
