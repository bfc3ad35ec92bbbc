import { Ellipsis, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Chip } from '../ui/chip.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DateInput } from '../ui/date-input.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { FilterBar } from '../ui/filter-bar.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { Section } from '../ui/section.tsx';
import { Select } from '../ui/select.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Switch } from '../ui/switch.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextInput } from '../ui/text-input.tsx';

const LONG = 'customer-support-assistant-production-europe-west-with-retry';
const RESETS = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'Each day' },
  { value: 'month', label: 'Each month' },
] as const;
type Reset = (typeof RESETS)[number]['value'];

function KeyForm({ name, onName }: { readonly name: string; readonly onName: (name: string) => void }): ReactNode {
  const [limit, setLimit] = useState('');
  const [reset, setReset] = useState<Reset>('month');
  const [day, setDay] = useState('');
  const [agreed, setAgreed] = useState(false);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Name"
        help="Shown in lists and receipts."
        error={name === 'taken' ? 'Another key has this name.' : null}
      >
        <TextInput value={name} onChange={onName} />
      </Field>
      <Field label="Limit" optional help="What this key may spend in each period.">
        <MoneyInput value={limit} onChange={setLimit} mayBeEmpty />
      </Field>
      <Field label="Resets">
        <Select value={reset} onChange={setReset} options={RESETS} />
      </Field>
      <Field label="Expires" optional>
        <DateInput value={day} onChange={setDay} min="2026-11-22" />
      </Field>
      <RadioGroup
        label="Models"
        value={reset}
        onChange={setReset}
        options={RESETS.map((each) => ({ ...each, help: 'The whole catalogue, new ones too.' }))}
      />
      <Checkbox label="I have saved it" help="It is not shown again." checked={agreed} onChange={setAgreed} />
    </div>
  );
}

function Overlays(): ReactNode {
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'confirm' | null>(null);
  const [name, setName] = useState('');
  const close = (): void => setOpen(null);
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="primary">Create key</Button>
    </>
  );
  return (
    <>
      <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
      <Button onClick={() => setOpen('sheet')}>Open sheet</Button>
      <Button onClick={() => setOpen('confirm')}>Open confirmation</Button>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="Create key"
        dirty={name !== ''}
        width="wide"
        footer={footer}
      >
        <KeyForm name={name} onName={setName} />
      </Dialog>
      <Sheet
        open={open === 'sheet'}
        onClose={close}
        title={`Key ${LONG}`}
        description="Its secret is shown once."
        footer={footer}
      >
        <KeyForm name={name} onName={setName} />
      </Sheet>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        title="Revoke web/laptop?"
        action="Revoke key"
        typedName="web/laptop"
        onConfirm={close}
      >
        Requests with it are refused within a second. It cannot be undone.
      </ConfirmDialog>
    </>
  );
}

export function ControlLooks(): ReactNode {
  const [on, setOn] = useState(true);
  const [tab, setTab] = useState<'served' | 'refused'>('served');
  const [search, setSearch] = useState('');
  const [name, setName] = useState('taken');
  const [text, setText] = useState('You are a helpful assistant.');
  return (
    <>
      <PageHeader
        title={LONG}
        lead="Which keys may spend, how much they have spent, and when they were last used."
        actions={
          <>
            <Menu
              label="More actions"
              align="end"
              items={[
                { label: 'Rotate key', detail: 'The old secret works for an hour' },
                { label: LONG, href: '#long' },
                { label: 'Close workspace', unavailable: 'Only owners can close a workspace.' },
                { label: 'Revoke key', danger: true, separated: true, icon: <Trash2 size={16} strokeWidth={1.5} /> },
              ]}
            >
              <Ellipsis size={16} strokeWidth={1.5} />
            </Menu>
            <Button kind="primary" icon={<Plus size={16} strokeWidth={1.5} />}>
              Create key
            </Button>
          </>
        }
      />
      <Section title="Actions">
        <div className="flex flex-wrap items-center gap-2">
          <Button kind="primary">Create key</Button>
          <Button>Copy as command</Button>
          <Button kind="danger">Revoke key</Button>
          <Button kind="quiet">Cancel</Button>
          <Button kind="primary" busy>
            Create key
          </Button>
          <Button unavailable="Only owners can close a workspace.">Close workspace</Button>
          <IconButton label="Delete" icon={<Trash2 size={16} strokeWidth={1.5} />} />
          <Button onClick={() => showToast('Key web/laptop is revoked.')}>Show result</Button>
          <Button onClick={() => showToast('The key could not be revoked: it has changed since.', 'failed')}>
            Show failure
          </Button>
          <Overlays />
        </div>
      </Section>
      <Section title="Form" lead="Labels above, help below.">
        <KeyForm name={name} onName={setName} />
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <Switch
            label="Auto top-up"
            help="Adds $50.00 below $10.00, at most $200.00 a month."
            on={on}
            onChange={setOn}
          />
          <Switch label="Sign-up" on={false} onChange={setOn} unavailable="Only the operator can open sign-up." />
          <Field label="System prompt">
            <TextArea value={text} onChange={setText} />
          </Field>
        </div>
      </Section>
      <Section title="Filters">
        <FilterBar label="Filter requests" onClear={() => setSearch('')}>
          <SearchInput label="Search keys" value={search} onChange={setSearch} />
          <Chip onRemove={() => setSearch('')}>model: gpt-5</Chip>
          <Chip pressed={on} onPress={() => setOn(!on)}>
            Expiring
          </Chip>
          <Chip pressed={!on} onPress={() => setOn(!on)}>
            Over 80%
          </Chip>
        </FilterBar>
        <Tabs
          label="Requests"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'served', label: 'Served', count: 12_044 },
            { id: 'refused', label: 'Refused', count: 12 },
          ]}
        >
          <p className="text-control">{`The ${tab} ones.`}</p>
        </Tabs>
      </Section>
    </>
  );
}
