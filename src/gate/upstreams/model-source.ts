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
  /** The headers that let a request in: none if no key is configured, null if it can't be read. */
  readonly credentials: Headers | null;
  /** Path and query of the list's first page. */
  readonly list: string;
  /** Path and query of the list at an address with a version; left out if the address has one. */
  readonly versionedList?: string;
  /** Reads the JSON of a page; null if it is something else. */
  readPage(json: unknown): ModelPage | null;
  /** Path and query of one model's entry; null if its models go by other names than routes do. */
  one(upstreamModel: string): string | null;
}
