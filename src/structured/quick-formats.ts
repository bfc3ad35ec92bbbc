// What of a format can be told at once: expressions under which each character is looked at a bounded number of times,
// whatever the text. They take only texts that the format takes, and most of those.

const MONTH_AND_DAY = '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)';
const DATE = `\\d{4}-${MONTH_AND_DAY}`;

const HOUR_AND_MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const TIME = `${HOUR_AND_MINUTE}:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-]${HOUR_AND_MINUTE})`;

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
const LABEL = '[A-Za-z\\d]+(?:-+[A-Za-z\\d]+)*';
const DOMAIN = `${LABEL}(?:\\.${LABEL})*`;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

const PATH_CHARACTER = "[\\w.~!$&'()*+,;=:@/-]";

const MATCHERS = new Map(
  Object.entries({
    date: DATE,
    'date-time': `${DATE}[Tt]${TIME}`,
    email: `${ATOM}(?:\\.${ATOM})*@${DOMAIN}`,
    ipv4: `${OCTET}(?:\\.${OCTET}){3}`,
    time: TIME,
    uri: `https?://${DOMAIN}(?::\\d{1,5})?(?:/${PATH_CHARACTER}*)?(?:\\?${PATH_CHARACTER}*)?(?:#${PATH_CHARACTER}*)?`,
    uuid: '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}',
  }).map(([name, source]) => {
    const expression = new RegExp(`^${source}$`);
    return [name, (text: string): boolean => expression.test(text)] as const;
  }),
);

/** Whether a text is sure to have this format; null for formats of which nothing can be told at once. */
export function matcherOf(format: string): ((text: string) => boolean) | null {
  return MATCHERS.get(format) ?? null;
}
