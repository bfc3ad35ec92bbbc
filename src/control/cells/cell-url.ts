import { isInnerHost } from '../../lib/target-network.ts';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';

const RIGHT =
  'write an https address, or http for this machine or a private address, such as "https://one.gateway.example"';

/** The address of a cell as it is kept, without a slash at its end; or why it can't be one. */
export function readCellUrl(text: string): { readonly url: string } | { readonly problem: string } {
  if (!URL.canParse(text)) return { problem: `is not an address: ${RIGHT}` };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return { problem: 'has credentials in it' };
  if (url.search !== '' || url.hash !== '' || text.endsWith('?'))
    return { problem: `has a query or fragment: ${RIGHT}` };
  const isPlain = url.protocol === 'http:' && isInnerHost(url);
  if (url.protocol !== 'https:' && !isPlain) return { problem: `is not https: ${RIGHT}` };
  return { url: withoutTrailingSlashes(url.href) };
}
