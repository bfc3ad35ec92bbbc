import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type ChatBody, type Payer, quoteQuery } from '../../api/playground.ts';
import { formatTokens } from '../../format/count.ts';
import { Money } from '../../ui/money.tsx';

/** Typing is not quoted letter by letter. */
const PAUSE_MS = 600;

interface QuoteLineProps {
  readonly payer: Payer;
  /** Null: it is not a request yet. */
  readonly body: ChatBody | null;
}

/** What the request would hold if it were sent now. */
export function QuoteLine({ payer, body }: QuoteLineProps): ReactNode {
  const text = body === null ? null : JSON.stringify(body);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const asked = settled === null || text === null ? null : (JSON.parse(settled) as ChatBody);
  const { data: quote, error } = useQuery(quoteQuery(payer, asked));
  return (
    <p className="min-h-5 min-w-0 flex-1 text-control text-text-2" data-quote={settled === text ? 'current' : 'older'}>
      {asked === null || (quote === undefined && error === null) ? null : error !== null ? (
        error.message
      ) : quote !== undefined && quote.allowed ? (
        <>
          Costs at most <Money exact amount={quote.hold_nano_usd} />, which is held until the answer ends.
          {quote.shortened_to_tokens !== null && (
            <> The answer is cut at {formatTokens(quote.shortened_to_tokens)}: more is not covered.</>
          )}
        </>
      ) : (
        quote?.refusal?.message
      )}
    </p>
  );
}
