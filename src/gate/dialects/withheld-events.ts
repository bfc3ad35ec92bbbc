import { formatUsd } from '../../domain/money.ts';
import { encodeEvent } from '../openai/sse.ts';
import { type Settled, type UsageForm, withCost } from './usage-cost.ts';

const EVENT_END = '\n\n';
const DATA = 'data: ';

/** Texts of events that are sent after settlement. */
export class WithheldEvents {
  readonly #usageForm: UsageForm;
  #text = '';

  constructor(usageForm: UsageForm) {
    this.#usageForm = usageForm;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** Replaces the text of a withheld event. */
  replace(former: string, text: string): void {
    const at = this.#text.lastIndexOf(former);
    if (at !== -1) this.#text = this.#text.slice(0, at) + text + this.#text.slice(at + former.length);
  }

  /**
   * The withheld texts and `rest`, the text of later events. The charge is written as a comment, which clients ignore:
   * as a line of the last event, since a blank line after it would end an event without data (see `PING`). It is also
   * added to the usage if the caller wants that.
   */
  end(settled: Settled, rest = ''): string {
    const whole = this.#text + rest;
    const text = settled.inUsage ? this.#withCost(whole, settled) : whole;
    const at = text.lastIndexOf(EVENT_END, text.length - EVENT_END.length - 1);
    const last = at === -1 ? 0 : at + EVENT_END.length;
    return `${text.slice(0, last)}: faregate-charge ${formatUsd(settled.charge)}\n${text.slice(last)}`;
  }

  #withCost(text: string, settled: Settled): string {
    const events = text.split(EVENT_END).filter((event) => event !== '');
    const heads = events.map((event) => event.slice(0, event.startsWith(DATA) ? 0 : event.indexOf(`\n${DATA}`) + 1));
    const payloads = events.map((event, index) => payloadOf(event.slice(heads[index]?.length)));
    return withCost(payloads, this.#usageForm, settled)
      .map((payload, index) => (heads[index] ?? '') + encodeEvent(payload))
      .join('');
  }
}

/** The payload of an event's data lines. */
function payloadOf(lines: string): Buffer {
  return Buffer.from(lines.slice(DATA.length).replaceAll(`\n${DATA}`, '\n'), 'latin1');
}
