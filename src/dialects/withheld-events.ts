import { formatUsd, type NanoUsd } from '../domain/money.ts';

const EVENT_END = '\n\n';

/** The texts of events that are not sent before the charge is known. */
export class WithheldEvents {
  #text = '';

  add(text: string): void {
    this.#text += text;
  }

  /** Another text for one of them. */
  replace(former: string, text: string): void {
    const at = this.#text.lastIndexOf(former);
    if (at !== -1) this.#text = this.#text.slice(0, at) + text + this.#text.slice(at + former.length);
  }

  /**
   * All of them and `rest`, the text of the events that follow. The charge stands in a comment, which clients pass over: as a
   * line of the last event, since a blank line of its own would end an event without data (see `PING`).
   */
  end(charge: NanoUsd, rest = ''): string {
    const text = this.#text + rest;
    const at = text.lastIndexOf(EVENT_END, text.length - EVENT_END.length - 1);
    const last = at === -1 ? 0 : at + EVENT_END.length;
    return `${text.slice(0, last)}: faregate-charge ${formatUsd(charge)}\n${text.slice(last)}`;
  }
}
