import { isObject, type JsonObject } from '../../openai/json-object.ts';
import type { ChatTarget } from '../dialect.ts';

/** Notes of the translation of one request. */
export class Notes {
  readonly target: ChatTarget;
  readonly #leftOut = new Set<string>();

  constructor(target: ChatTarget, leftOut: readonly string[]) {
    this.target = target;
    for (const name of leftOut) this.#leftOut.add(name);
  }

  /** Notes an option without a chat equivalent, which the model isn't sent; the answer is usable without it. */
  leaveOut(name: string): void {
    this.#leftOut.add(name);
  }

  get leftOut(): readonly string[] {
    return [...this.#leftOut];
  }

  /** The members that mark a part for the provider's cache, if it has such marks. */
  cacheMark(block: JsonObject): { readonly cache_control?: unknown } {
    const { cache_control: control } = block;
    if (!isObject(control)) return {};
    if (this.target.extensions === 'anthropic') return { cache_control: control };
    this.leaveOut('cache_control');
    return {};
  }
}
