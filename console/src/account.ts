// The pages that links in mails, and the one that the first start prints, lead to. The secret of the link stands behind
// the "#", which browsers don't send, and goes to the server in a body.

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
  readonly optional?: boolean;
}

interface Flow {
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  readonly submit: string;
  readonly fields: readonly Field[];
  readonly done: string;
}

const NAME: Field = { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' };
const EMAIL: Field = { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username' };
const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters; a sentence is fine.',
};
const WORKSPACE: Field = {
  name: 'workspace',
  label: 'Name of your workspace',
  type: 'text',
  autocomplete: 'organization',
  hint: 'It holds the credit, the projects and the keys. Leave it empty if you are joining one.',
  optional: true,
};

const FLOWS: Readonly<Record<string, Flow>> = {
  '/set-up': {
    title: 'Set up this instance',
    lead: 'Make the account of the owner, who operates the instance too. The link works once.',
    action: '/admin/v1/set-up',
    submit: 'Make the account',
    fields: [EMAIL, NAME, PASSWORD],
    done: 'The account is made, and you are signed in. The first workspace is yours.',
  },
  '/invitation': {
    title: 'Join a workspace',
    lead: 'Make an account to accept the invitation.',
    action: '/admin/v1/invitations/join',
    submit: 'Join',
    fields: [NAME, PASSWORD],
    done: 'You are a member now, and signed in.',
  },
  '/reset-password': {
    title: 'Set a new password',
    lead: 'All other sessions of the account end.',
    action: '/admin/v1/password-resets/complete',
    submit: 'Set the password',
    fields: [PASSWORD],
    done: 'The new password is set.',
  },
  '/sign-up': {
    title: 'Finish signing up',
    lead: 'Your email address is confirmed by this link.',
    action: '/admin/v1/sign-ups/complete',
    submit: 'Make the account',
    fields: [NAME, PASSWORD, WORKSPACE],
    done: 'The account is made, and you are signed in.',
  },
};

function element<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no #${id}`);
  return found;
}

function inputFor(field: Field): HTMLElement {
  const label = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { id: field.name, name: field.name, type: field.type, required: field.optional !== true });
  input.setAttribute('autocomplete', field.autocomplete);
  label.htmlFor = field.name;
  label.textContent = field.label;
  const group = document.createElement('p');
  group.append(label, input);
  if (field.hint !== undefined) {
    const hint = document.createElement('small');
    hint.id = `${field.name}-hint`;
    hint.textContent = field.hint;
    input.setAttribute('aria-describedby', hint.id);
    group.append(hint);
  }
  return group;
}

/** Sends the form. Returns what is wrong, for people to read; null if nothing is. */
async function send(flow: Flow, token: string, form: HTMLFormElement): Promise<string | null> {
  const given = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
  const response = await fetch(flow.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...given }),
  });
  if (response.ok) return null;
  const body = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  const said = body.error?.message ?? `The server answered ${response.status}.`;
  return `${said} (request ${response.headers.get('x-request-id') ?? 'unknown'})`;
}

function show(flow: Flow, token: string): void {
  const form = element('form', HTMLFormElement);
  const submit = element('submit', HTMLButtonElement);
  const problem = element('problem', HTMLParagraphElement);
  const done = element('done', HTMLParagraphElement);
  element('fields', HTMLDivElement).append(...flow.fields.map(inputFor));
  submit.textContent = flow.submit;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.hidden = true;
    send(flow, token, form)
      .catch(() => 'The server could not be reached: try again.')
      .then((said) => {
        submit.disabled = false;
        problem.hidden = said === null;
        problem.textContent = said;
        if (said !== null) return;
        form.hidden = true;
        done.hidden = false;
        done.textContent = flow.done;
      })
      .catch(() => undefined);
  });
}

const flow = FLOWS[location.pathname.replace(/\/$/, '')];
const token = location.hash.slice(1);
if (flow !== undefined) {
  document.title = `${flow.title} – Faregate`;
  element('title', HTMLHeadingElement).textContent = flow.title;
  const isWhole = token !== '';
  element('lead', HTMLParagraphElement).textContent = isWhole
    ? flow.lead
    : 'This link is not whole: open it again as it was given to you, with all that follows the #.';
  if (isWhole) show(flow, token);
}
