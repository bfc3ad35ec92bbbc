/** A heading's anchor, as code hosts make them, so that links work there and in the manual. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/<[^<>]*>|[`*]/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
