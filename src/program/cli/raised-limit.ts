/** A raise as the API shows it. */
interface Raised {
  readonly raised_limit_usd: string | null;
  readonly raised_until: string | null;
}

/** What is said behind a limit that is raised for a time; empty if it isn't. */
export function raisedText({ raised_limit_usd: raised, raised_until: until }: Raised): string {
  return raised === null || until === null ? '' : `; raised to ${raised} USD until ${until}`;
}
