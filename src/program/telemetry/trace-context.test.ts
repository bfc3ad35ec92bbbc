import { expect, test } from 'vitest';
import { readTraceContext, traceHeaders } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-03`, true],
  [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, true],
])('the header "%s" is a position in a trace, sampled: %s', (parent, isSampled) => {
  expect(readTraceContext(parent, undefined)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled, state: null });
});

test.each([
  undefined,
  '',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  ` 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\r\nx: y`,
])('the header "%s" is none', (parent) => {
  expect(readTraceContext(parent, undefined)).toBeNull();
});

test.each([
  ['vendor=value', 'vendor=value'],
  ['a=1 , tenant@vendor=b c,, d=4', 'a=1,tenant@vendor=b c,d=4'],
  ['Vendor=value', null],
  ['vendor', null],
  ['vendor=a=b', null],
  ['vendor=\u00e9', null],
  [Array.from({ length: 33 }, (_, at) => `k${at}=v`).join(','), null],
  [`k=${'v'.repeat(257)}`, null],
  [`a=${'v'.repeat(256)},b=${'v'.repeat(256)}`, null],
  [',', null],
])('of the vendors\' members "%s" is passed on %j', (state, passed) => {
  expect(readTraceContext(`00-${TRACE}-${SPAN}-01`, state)?.state).toBe(passed);
});

test('a position is written as it is read', () => {
  const context = { traceId: TRACE, spanId: SPAN, isSampled: false, state: 'a=1' };
  const headers = traceHeaders(context);
  expect(headers).toEqual(['traceparent', `00-${TRACE}-${SPAN}-00`, 'tracestate', 'a=1']);
  expect(readTraceContext(headers[1], headers[3])).toEqual(context);
});
