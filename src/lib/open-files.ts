/** Other open files of the program: its database, its log, its data directory. */
const OTHER_FILES = 200;

/** How many files and sockets this process may have open, as `ulimit -n` has it; Infinity where there is no limit. */
export function openFilesMax(): number {
  // A report on the sockets would ask for the names of all peers, and wait for them.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/**
 * How many connections of callers fit into so many open files. A third is left for providers: a process without a file
 * to open reaches none of them, nor writes its journal.
 */
export function connectionsWithin(openFiles: number): number {
  return Math.max(1, Math.floor(((openFiles - OTHER_FILES) * 2) / 3));
}

/** How many open files so many connections of callers need. */
export function openFilesFor(connections: number): number {
  return Math.ceil((connections * 3) / 2) + OTHER_FILES;
}
