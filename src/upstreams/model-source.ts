type Headers = Readonly<Record<string, string>>;

/** One page of a provider's list of models. */
export interface ModelPage {
  readonly ids: readonly string[];
  /** Path and query of the next page; null on the last one. */
  readonly next: string | null;
}

/** How a provider is asked which models it has: by GETs, which cost nothing. */
export interface ModelSource {
  readonly origin: string;
  readonly headers: Headers;
  /** The headers that let a request in: none where no key is configured, null where it can't be read. */
  readonly credentials: Headers | null;
  /** Path and query of the list's first page. */
  readonly list: string;
  /** Path and query of the list at an address with a version; left out where the address has one. */
  readonly versionedList?: string;
  /** Reads the JSON of a page; null where it is something else. */
  readPage(json: unknown): ModelPage | null;
  /** Path and query of what the provider says of one model; null where its models go by other names than routes do. */
  one(upstreamModel: string): string | null;
}
