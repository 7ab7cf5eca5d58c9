/** In place of the page when a login link did not work: why, and what to do next. */
import type { LoginProblem } from '../state/session.ts';
import { en } from '../strings/en.ts';
import { FullPage } from '../ui/FullPage.tsx';

export function LoginFailed({ problem }: { readonly problem: LoginProblem }) {
  return (
    <FullPage title={en.login.title} text={textOf(problem)}>
      {problem.kind === 'refused' && <code>{en.signedOut.command}</code>}
      {problem.kind !== 'refused' && (
        <p>
          {en.login.already} <a href="/">{en.login.open}</a>
        </p>
      )}
    </FullPage>
  );
}

function textOf(problem: LoginProblem): string {
  switch (problem.kind) {
    case 'no_keys':
      return en.login.noKeys;
    case 'unreachable':
      return en.login.unreachable;
    case 'refused':
      return refusedText(problem);
    default:
      return problem satisfies never;
  }
}

function refusedText({ message, reason }: Extract<LoginProblem, { kind: 'refused' }>): string {
  switch (reason) {
    case 'login_refused':
      return en.newLogin.refused;
    case 'login_timed_out':
      return en.newLogin.timedOut;
    case 'login_replaced':
      return en.newLogin.replaced;
    case null:
      return en.login.refused(message);
    default:
      return reason satisfies never;
  }
}
