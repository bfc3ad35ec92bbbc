/** Other open files of the program: its database, its log, its data directory. */
const OTHER_FILES = 200;

/** The limit of open files and sockets of this process (`ulimit -n`); Infinity if there is none. */
export function openFilesMax(): number {
  // With sockets, the report would resolve the names of all peers, and wait for that.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/**
 * How many callers' connections fit into this limit of open files. A third is left for providers: a process at its
 * limit can't reach any of them, nor write its journal.
 */
export function connectionsWithin(openFiles: number): number {
  return Math.max(1, Math.floor(((openFiles - OTHER_FILES) * 2) / 3));
}

/** The limit of open files needed for this many callers' connections. */
export function openFilesFor(connections: number): number {
  return Math.ceil((connections * 3) / 2) + OTHER_FILES;
}
