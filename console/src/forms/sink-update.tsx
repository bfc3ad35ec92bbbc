import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WorkspaceSinkJson } from '../../../src/control/admin/sinks/sink-contract.ts';
import { SINK_COMMANDS } from '../../../src/control/operations/sink-commands.ts';
import { REDACTIONS, SINK_RECORDS } from '../../../src/domain/sinks.ts';
import { reloadSinks, sinksQuery, updateSink } from '../api/sinks.ts';
import { commandWords } from '../components/command-words.ts';
import { RECORD_WORDS, REDACTION_WORDS, SINK_KIND_WORDS } from '../components/sink-words.ts';
import { useUnavailable } from '../session/access.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { ChangeSheet } from './change-sheet.tsx';
import { TextField } from './text-field.tsx';

interface SinkEntry {
  readonly records: WorkspaceSinkJson['records'];
  readonly sample: string;
  readonly redact: WorkspaceSinkJson['redact'];
}

const RULES = {
  entryOf: ({ records, sample_percent: sample, redact }: WorkspaceSinkJson): SinkEntry => ({
    records,
    sample: String(sample),
    redact,
  }),
  settingsOf: ({ records, sample, redact }: SinkEntry) => ({ records, sample_percent: Number(sample), redact }),
};

interface SinkUpdateProps {
  readonly workspace: string;
  readonly sink: WorkspaceSinkJson;
}

/** Changes what a workspace has delivered to a sink. */
export function SinkUpdate({ workspace, sink }: SinkUpdateProps): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const unavailable = useUnavailable(workspace, 'sinks:write', 'change what is delivered');
  return (
    <>
      <Button onClick={() => setIsOpen(true)} unavailable={unavailable}>
        Change sink
      </Button>
      {isOpen && (
        <ChangeSheet
          kind="sink"
          title={`Deliver to ${sink.name}`}
          thing={sink}
          rules={RULES}
          renderFields={(props) => <SinkFields kind={sink.kind} {...props} />}
          commandOf={(changes) =>
            commandWords(SINK_COMMANDS, 'sink update', { workspace, sink: sink.name, ...changes })
          }
          save={(seen, changes) => updateSink(workspace, seen, changes)}
          reload={reloadSinks(workspace)}
          load={async () => {
            const { data } = await queries.query({ ...sinksQuery(workspace), staleTime: 0 });
            return data.find(({ name }) => name === sink.name);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

interface SinkFieldsProps {
  readonly kind: WorkspaceSinkJson['kind'];
  readonly entry: SinkEntry;
  readonly onChange: (entry: SinkEntry) => void;
}

function SinkFields({ kind, entry, onChange }: SinkFieldsProps): ReactNode {
  const { records, sample, redact } = entry;
  return (
    <>
      <p className="text-control text-text-2">
        The operator has set up {SINK_KIND_WORDS[kind]}. All who can read there can read what is delivered.
      </p>
      <Choices
        legend="Deliver"
        all={SINK_RECORDS}
        words={RECORD_WORDS}
        chosen={records}
        onChange={(chosen) => onChange({ ...entry, records: chosen })}
      />
      {records.includes('content') && (
        <>
          <TextField
            param="sample_percent"
            label="Requests in a hundred"
            help="How many of them have their prompts and answers delivered."
            type="number"
            min={1}
            max={100}
            value={sample}
            onChange={(typed) => onChange({ ...entry, sample: typed })}
          />
          <Choices
            legend="Take out of prompts and answers"
            all={REDACTIONS}
            words={REDACTION_WORDS}
            chosen={redact}
            onChange={(chosen) => onChange({ ...entry, redact: chosen })}
          />
        </>
      )}
    </>
  );
}

interface ChoicesProps<Choice extends string> {
  readonly legend: string;
  readonly all: readonly Choice[];
  readonly words: Readonly<Record<Choice, string>>;
  readonly chosen: readonly Choice[];
  readonly onChange: (chosen: Choice[]) => void;
}

function Choices<Choice extends string>({ legend, all, words, chosen, onChange }: ChoicesProps<Choice>): ReactNode {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-control font-medium">{legend}</legend>
      {all.map((each) => (
        <Checkbox
          key={each}
          label={words[each]}
          checked={chosen.includes(each)}
          onChange={(checked) => onChange(all.filter((one) => (one === each ? checked : chosen.includes(one))))}
        />
      ))}
    </fieldset>
  );
}
