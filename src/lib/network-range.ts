import { isIP } from 'node:net';

const FORM = /^([0-9a-f.:]+)\/(\d{1,3})$/i;

/** Whether the text is a network such as `10.0.0.0/8` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [, address = '', prefix = ''] = FORM.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128);
}
