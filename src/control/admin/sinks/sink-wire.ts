import { json, ok } from '../answers.ts';
import * as contract from './sink-contract.ts';

/** Requests and answers of the operations on sinks. */
export const sinkWire = {
  listSinks: { responses: ok(contract.workspaceSinks, 'The sinks in the order of the config file.') },
  updateSink: {
    body: json(contract.workspaceSinkUpdate, { records: ['content', 'receipts'], redact: ['mail_addresses', 'keys'] }),
    responses: ok(contract.workspaceSink, 'The sink.'),
  },
};
