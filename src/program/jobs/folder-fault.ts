import { WorkFault } from '../../lib/work-fault.ts';

/** What the operator does about faults of a folder that a setting names. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; create it, or mount what it is on',
  ENOTDIR: 'is no folder',
  EACCES: 'may not be written by this user',
  EPERM: 'may not be written by this user',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is beyond its quota',
};

/** The fault in the operator's words if the folder is the reason; else the fault itself. */
export function folderFault(fault: unknown, setting: string, folder: string): unknown {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  const remedy = REMEDIES[code];
  return remedy === undefined ? fault : new WorkFault(`the folder ${folder} of ${setting} ${remedy}`, { cause: fault });
}
