// README.md as a list of things that can be tried: its fenced blocks, and the commands in its sentences.

export const LANGUAGES = ['sh', 'text', 'json', 'yaml', 'ts', 'python'] as const;

export type Language = (typeof LANGUAGES)[number];

export interface Block {
  readonly language: Language;
  readonly content: string;
  /** Where it begins in the document. */
  readonly line: number;
}

const FENCE = /^(`{3,}|~{3,})(.*)$/;
const COMMAND_SPAN = /`((?:npm|npx|curl|node|docker|faregate) [^`]*)`/g;

/** The blocks in order. Throws where a block is of a kind that nothing here knows how to try, or never ends. */
export function readBlocks(document: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; language: Language; line: number; lines: string[] } | null = null;
  for (const [index, text] of document.split('\n').entries()) {
    const line = index + 1;
    const [, fence, info = ''] = FENCE.exec(text) ?? [];
    if (open !== null) {
      if (fence === open.fence && info === '') {
        blocks.push({ language: open.language, content: open.lines.join('\n'), line: open.line });
        open = null;
      } else open.lines.push(text);
    } else if (fence !== undefined) open = { fence, language: languageOf(info, line), line, lines: [] };
    else if (/^( {4}|\t)\S/.test(text)) throw new Error(`line ${line}: fence code, so that its language is told`);
    else for (const [, content = ''] of text.matchAll(COMMAND_SPAN)) blocks.push({ language: 'sh', content, line });
  }
  if (open !== null) throw new Error(`line ${open.line}: this block never ends`);
  return blocks;
}

function languageOf(info: string, line: number): Language {
  const known = LANGUAGES.find((language) => language === info);
  if (known === undefined) throw new Error(`line ${line}: nothing here knows how to try a block of kind "${info}"`);
  return known;
}

/** The commands of a shell block, one for each part that a shell would run after the other. */
export function commandsOf(content: string): readonly string[] {
  return content
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => line.split(' && '))
    .map((command) => command.trim())
    .filter((command) => command !== '' && !command.startsWith('#'));
}

/**
 * The text with what differs from one run or machine to the next made alike: ids, keys, times, ports, how long things
 * took, and which model servers were found.
 */
export function withoutAccidents(text: string): string {
  return text
    .replace(/fg_live_[0-9A-Za-z]+/g, 'fg_live_…')
    .replace(/set-up#\S+/g, 'set-up#…')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '(id)')
    .replace(/\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '(time)')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '(address)')
    .replace(/\b\d+ ms\b/g, '(duration)')
    .replace(/^ +Found .*\n/gm, '')
    .replace(/^( +Models .*sandbox\/rerank).*$/gm, '$1')
    .replace(/^(\S+ +\S+ +\d{3}) +\d+ +/gm, '$1 (ms) ')
    .replace(/^PROVIDER .*$/gm, (headings) => headings.replace(/ +/g, ' '))
    .trim();
}
