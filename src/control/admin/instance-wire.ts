import { bytes, json, ok } from './answers.ts';
import * as contract from './contract.ts';

/** Requests and answers of the operations on the instance and its catalogue. */
export const instanceWire = {
  previewCatalogue: { responses: ok(contract.catalogueDiff, 'The changes that an apply would make.') },
  applyCatalogue: {
    body: json(contract.catalogueApplication, { accept: ['small-chat'] }),
    responses: ok(contract.appliedCatalogue, 'The changes made, and those that need to be accepted.'),
  },
  showStatus: { responses: ok(contract.status, 'The status.') },
  listProcesses: { responses: ok(contract.processes, 'The processes of all instances, the oldest first.') },
  examineInstance: {
    responses: ok(contract.examination, 'The findings: runtime, config, data directory, disk, open files, database.'),
  },
  showSettings: { responses: ok(contract.settings, 'All settings besides the models. Secrets are not in it.') },
  beginRestart: { responses: ok(contract.restart, 'Progress of the restart, which continues in the background.') },
  showRestart: { responses: ok(contract.restart, 'The progress, or the result.') },
  downloadBackup: { responses: bytes('The backup.') },
};
