import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { LiveEventName } from '../../../src/admin/live/live-contract.ts';
import { listenToWorkspace } from './live.ts';

/** Which areas of a workspace are read again after one event. */
function areasReadAgain(event: LiveEventName): readonly unknown[] {
  const source = Object.assign(new EventTarget(), { close: () => undefined });
  vi.stubGlobal('EventSource', function EventSource() {
    return source;
  });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  const queries = new QueryClient();
  const invalidated = vi.spyOn(queries, 'invalidateQueries');
  const end = listenToWorkspace(queries, 'w');
  source.dispatchEvent(new MessageEvent(event, { data: '{}' }));
  end();
  return invalidated.mock.calls.map(([filters]) => filters?.queryKey?.[2]);
}

test('an alert, a payment and a change of a key are each seen in every place that shows them', () => {
  expect(areasReadAgain('alert')).toEqual(['alerts', 'attention']);
  expect(areasReadAgain('payment')).toEqual(['top-ups', 'credit']);
  expect(areasReadAgain('key')).toEqual(['keys', 'key', 'attention']);
});
