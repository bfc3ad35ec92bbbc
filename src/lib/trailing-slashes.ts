const SLASH = '/';

/** A path or URL without the slashes at its end. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === SLASH) end--;
  return path.slice(0, end);
}
