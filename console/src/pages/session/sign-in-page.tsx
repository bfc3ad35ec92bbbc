import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { failureNamed, SIGN_IN_FAILURES } from '../../../../src/domain/sign-in-failures.ts';
import { requestPasswordReset, requestSignUp, signInOptionsQuery } from '../../api/sign-in.ts';
import { MailRequest } from '../../forms/mail-request.tsx';
import { CompanySignIn } from '../../forms/company-sign-in.tsx';
import { SignIn } from '../../forms/sign-in.tsx';
import { paths } from '../../paths.ts';
import { keepReturnPath, ownPath } from '../../session/return-path.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { SessionFrame } from './session-frame.tsx';

const route = getRouteApi('/sign-in');

const PasskeySignIn = lazy(async () => ({ default: (await import('../../forms/passkey-use.tsx')).PasskeySignIn }));

export function SignInPage(): ReactNode {
  const { next, error, need } = route.useSearch();
  const failure = failureNamed(error);
  const options = useQuery(signInOptionsQuery).data;
  const openId = options?.openid ?? null;
  if (need === 'password') return <ForgottenPassword isMailed={options?.mail !== false} />;
  if (need === 'account') {
    return (
      <SessionFrame title="Sign up" lead="First you get a link by mail, which shows that the address is yours.">
        <MailRequest
          request={requestSignUp}
          action="Send the link"
          sent="If the address has no account yet, a link is on its way. It works for a day."
        />
      </SessionFrame>
    );
  }
  return (
    <SessionFrame title="Sign in">
      <div className="flex flex-col gap-4">
        {failure !== undefined && <ErrorPanel message={SIGN_IN_FAILURES[failure]} />}
        {options?.set_up_needed === true && (
          <p className="text-control text-text-2">
            Nobody has an account here yet. Open the set-up link that the first start printed, or make a new one with{' '}
            <code>faregate user set-up-link</code>.
          </p>
        )}
        {need === 'company' ? <CompanySignIn next={ownPath(next)} /> : <SignIn next={ownPath(next)} />}
        {need !== 'company' && options?.passkeys === true && (
          <Suspense fallback={null}>
            <PasskeySignIn next={ownPath(next)} />
          </Suspense>
        )}
        {need === 'company' ? (
          <a href={paths.signIn({ next })} className={buttonClass()}>
            Sign in with a password
          </a>
        ) : (
          options?.own_providers === true && (
            <a href={paths.companySignIn(next)} className={buttonClass()}>
              Sign in with your company
            </a>
          )
        )}
        {openId !== null && (
          <a href="/admin/v1/openid/begin" className={buttonClass()} onClick={() => keepReturnPath(ownPath(next))}>
            Sign in with {openId.name}
          </a>
        )}
        <p className="flex justify-between text-control">
          <TextLink href={paths.forgotPassword()} className="text-text-2">
            Forgot password
          </TextLink>
          {options?.sign_up === true && (
            <TextLink href={paths.signUpRequest()} className="text-text-2">
              Sign up
            </TextLink>
          )}
        </p>
      </div>
    </SessionFrame>
  );
}

function ForgottenPassword({ isMailed }: { readonly isMailed: boolean }): ReactNode {
  return (
    <SessionFrame title="Set a new password">
      {isMailed ? (
        <MailRequest
          request={requestPasswordReset}
          action="Send the link"
          sent="If the address has an account, a link is on its way. It works for two hours."
        />
      ) : (
        <p className="text-body">
          This instance sends no mail. Ask an owner of your workspace, or the operator, for a link that sets a new
          password.
        </p>
      )}
    </SessionFrame>
  );
}
