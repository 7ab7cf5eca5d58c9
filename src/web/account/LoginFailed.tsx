/** In place of the page when a login link did not work: why, and what to do next. */
import type { LoginProblem } from '../state/session.ts';
import { en } from '../strings/en.ts';
import { FullPage } from '../ui/FullPage.tsx';

export function LoginFailed({ problem }: { readonly problem: LoginProblem }) {
  return (
    <FullPage title={en.login.title} text={textOf(problem)}>
      {problem.kind === 'refused' && <code>{en.signedOut.command}</code>}
      <p>
        {en.login.already} <a href="/">{en.login.open}</a>
      </p>
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
      return en.login.refused(problem.message);
    default:
      return problem satisfies never;
  }
}
