import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import type { ChatBody } from '../../api/playground.ts';
import { RequestCode } from '../../components/snippets.tsx';
import { useMe } from '../../session/access.ts';
import { keepDraft, keptDraft } from '../../session/prompt-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { AnswerPane } from './answer-pane.tsx';
import { PromptFields } from './prompt-fields.tsx';
import { EMPTY_PROMPT, newMessage, type Prompt, type PromptProblems, readPrompt, requestOf } from './prompt.ts';
import { QuoteLine } from './quote-line.tsx';
import { isForWantOfCredit, isUnderWay, useRun } from './use-run.ts';

interface WorkbenchProps {
  readonly workspace: string;
  readonly models: readonly ModelJson[];
  readonly projects: readonly ProjectJson[];
  readonly model: string;
  readonly project: ProjectJson;
  readonly showsCode: boolean;
  readonly onChoose: (choice: { readonly model?: string; readonly project?: string }) => void;
  readonly onShowCode: (shows: boolean) => void;
  /** Why nothing can be sent. */
  readonly unavailable: string | null;
}

const NO_PROBLEMS: PromptProblems = {};

/** The prompt on the left, its answer on the right. */
export function Workbench(props: WorkbenchProps): ReactNode {
  const { workspace, model, project, showsCode, onShowCode, unavailable } = props;
  const { run, start, stop } = useRun();
  const [prompt, setPrompt] = useKeptPrompt(workspace, isForWantOfCredit(run));
  const answer = useRef<HTMLDivElement>(null);
  const [hasTried, setHasTried] = useState(false);
  const request = requestOf(prompt, model);
  const body = 'body' in request ? request.body : null;
  const problems = 'problems' in request ? request.problems : NO_PROBLEMS;
  const payer = { workspace, project: project.id };
  const send = (): void => {
    setHasTried(true);
    if (body === null || unavailable !== null || isUnderWay(run)) return;
    start(payer, body);
    // On a narrow screen the answer stands below the prompt.
    answer.current?.scrollIntoView({ block: 'nearest' });
  };
  const sendByKeys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="grid gap-8 lg:grid-cols-2 [&_section>div:first-child]:min-h-10.25">
      <Section
        title="Prompt"
        actions={
          <Button onClick={() => onShowCode(true)} unavailable={body === null ? 'Write a prompt first.' : null}>
            View code
          </Button>
        }
      >
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are a short way to its button */}
        <div className="flex flex-col gap-4" onKeyDown={sendByKeys}>
          <Choices {...props} />
          <PromptFields
            prompt={prompt}
            onChange={setPrompt}
            problems={hasTried ? problems : { ...problems, messages: undefined }}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-3">
            <QuoteLine payer={payer} body={unavailable === null ? body : null} />
            <Button kind="primary" onClick={send} busy={isUnderWay(run)} unavailable={unavailable}>
              Send
            </Button>
          </div>
        </div>
      </Section>
      <div
        ref={answer}
        className="min-w-0 scroll-mt-16 lg:sticky lg:top-18 lg:-mx-1 lg:max-h-[calc(100dvh-96px)] lg:self-start lg:overflow-y-auto lg:px-1"
      >
        <AnswerPane
          workspace={workspace}
          project={project}
          model={model}
          run={run}
          onStop={stop}
          onContinue={(text) => setPrompt(continued(prompt, text))}
        />
      </div>
      {showsCode && body !== null && <CodeDialog body={body} onClose={() => onShowCode(false)} />}
    </div>
  );
}

function Choices({ models, projects, model, project, onChoose }: WorkbenchProps): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Model">
        <Select
          value={model}
          onChange={(id) => onChoose({ model: id })}
          options={models.map(({ id }) => ({ value: id, label: id }))}
        />
      </Field>
      <Field label="Project">
        <Select
          value={project.id}
          onChange={(id) => onChoose({ project: id })}
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
    </div>
  );
}

function CodeDialog({ body, onClose }: { readonly body: ChatBody; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog
      open
      width="wide"
      title="The same request as code"
      description="It is sent with a key of yours instead of your session."
      onClose={onClose}
    >
      <RequestCode request={{ origin: location.origin, endpoint: 'chat/completions', body, apiKey: null }} />
    </Dialog>
  );
}

function continued(prompt: Prompt, text: string): Prompt {
  const said = [...prompt.messages, newMessage('assistant', prompt.messages, text)];
  return { ...prompt, messages: [...said, newMessage('user', said)] };
}

/** The prompt as it was left in this tab. */
function useKeptPrompt(workspace: string, awaitsCredit: boolean): [Prompt, (prompt: Prompt) => void] {
  const { user } = useMe();
  const [prompt, setPrompt] = useState<Prompt>(() => readPrompt(keptDraft(user.id, workspace)) ?? EMPTY_PROMPT);
  const keep = (kept: Prompt): void => {
    const wayBack = awaitsCredit ? location.pathname + location.search : null;
    keepDraft({ user: user.id, workspace, prompt: kept, wayBack });
  };
  const keepAsItIs = useEffectEvent(() => keep(prompt));
  useEffect(() => {
    if (awaitsCredit) keepAsItIs();
  }, [awaitsCredit]);
  const change = (next: Prompt): void => {
    setPrompt(next);
    keep(next);
  };
  return [prompt, change];
}
