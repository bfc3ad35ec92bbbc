type Headers = Readonly<Record<string, string>>;

/** One page of a provider's list of models. */
export interface ModelPage {
  readonly ids: readonly string[];
  /** Path and query of the next page; null on the last one. */
  readonly next: string | null;
}

/** Requests a provider's list of models, by GETs that are free of charge. */
export interface ModelSource {
  readonly origin: string;
  readonly headers: Headers;
  /** The headers that authenticate a request: none if no key is configured, null if the key can't be read. */
  readonly credentials: Headers | null;
  /** Path and query of the list's first page. */
  readonly list: string;
  /** Path and query of the list at a versioned URL; absent if the configured URL has a version. */
  readonly versionedList?: string;
  /** Reads the JSON of a page; null if it is something else. */
  readPage(json: unknown): ModelPage | null;
  /** Path and query of one model's entry; null if its names differ from those of routes. */
  one(upstreamModel: string): string | null;
}
