// @vitest-environment happy-dom
// @vitest-environment-options {"url": "http://gateway.test/"}
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { DescribedOperation } from '../support/described-api.ts';
import { operationsOfDocument } from '../support/described-operations.ts';
import { completeElements } from './browser-parts.ts';
import { answerTo } from './example-server.ts';
import { OpenedPage, type Sent } from './opened-page.tsx';
import { pressesOf, type Stage } from './presses.ts';
import { OUT_OF_REACH, pressKey, set } from './controls.ts';
import { IN_PART, PRESSED, type PressedPage } from './visited-pages.ts';

let operations: readonly DescribedOperation[];

beforeAll(async () => {
  operations = await operationsOfDocument();
  completeElements();
  await Promise.all(
    Object.values(import.meta.glob('../../console/src/{pages,frame,components,forms}/**/*.tsx')).map((load) => load()),
  );
});

// A page with many forms is pressed hundreds of times, which takes minutes where thirty processes share a core.
vi.setConfig({ testTimeout: 600_000 });

beforeEach(() => {
  vi.stubEnv('TZ', 'UTC');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({
    toFake: [
      'Date',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'requestAnimationFrame',
      'cancelAnimationFrame',
      'performance',
    ],
  });
});
afterEach(() => void vi.useRealTimers());

/** An answer that is read without a wait: how long a body takes would decide how much of the tests' time passes. */
function answerOf(status: number, value: unknown): Response {
  const headers = new Headers({ 'x-request-id': 'request-1' });
  return { ok: status < 300, status, headers, json: () => Promise.resolve(value) } as Response;
}

function stageAt({ address, visitor, part }: PressedPage): Stage {
  const stage: Stage = {
    refusal: null,
    open: () => OpenedPage.at(address, answer, part),
  };
  const answer = ({ method, url }: Sent): Response => {
    if (method === 'GET' || stage.refusal === null) {
      return answerOf(200, answerTo(operations, { method, url }, { ...visitor, isAlive: true }));
    }
    const { status, ...error } = stage.refusal;
    return answerOf(status, { error });
  };
  return stage;
}

test.each(PRESSED)('$address: each control of $visitor.name does what it says', async (page) => {
  const { address, visitor } = page;
  const lines = [`${address}, pressed by ${visitor.name}`, '', ...(await pressesOf(stageAt(page))), ''];
  const name = address
    .replaceAll(/0199a9a2-[\d-]+-0*/g, '')
    .replaceAll(/[^\w=.-]+/g, '_')
    .replace(/^_/, '');
  const of = visitor.item === undefined ? '' : '.other';
  await expect(lines.join('\n')).toMatchFileSnapshot(`pressed/${name}${of}.txt`);
});

test.each(IN_PART)('$address: what is out of reach of $visitor.name does nothing when it is pressed', async (page) => {
  const opened = await stageAt(page).open();
  await opened.do(() => {
    for (const field of document.querySelectorAll('textarea')) set(field, 'typed');
  });
  opened.takeDeeds();
  const start = opened.see();
  const controls = [...document.querySelectorAll<HTMLElement>(OUT_OF_REACH)];
  expect(controls.length).toBeGreaterThan(0);
  await opened.do(() => {
    for (const control of controls) control.click();
    for (const field of document.querySelectorAll('textarea')) pressKey(field, 'Control+Enter');
  });
  expect(opened.takeDeeds()).toEqual({ sent: [], said: [], copied: [], left: [] });
  expect(opened.see()).toEqual(start);
  await opened.close();
});
