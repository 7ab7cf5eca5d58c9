/** Arriving by a login link: redeems its token, and takes it out of the address before the page is shown. */
import type { WaitingLogin } from '../../contract/routes-session.ts';
import type { LoginProblem, PageSession } from './session.ts';

const LOGIN_PATH = '/login';

/** Null if the page can go on; a problem is shown in its place. `onWaiting` is told while another browser has to allow the login. */
export async function arriveByLink(
  session: PageSession,
  onWaiting: (waiting: WaitingLogin) => void,
): Promise<LoginProblem | null> {
  if (location.pathname !== LOGIN_PATH) return null;
  const token = new URLSearchParams(location.search).get('token');
  // A browser that is logged in needs no new session, and nobody has to allow it again.
  const answer = token === null || (await session.isLoggedIn()) ? null : await session.logIn(token, onWaiting);
  // The link still works if the server was not reached or no key could be made: then a reload, or another browser, may use it.
  const isUsed = answer === null || answer.ok || answer.error.kind === 'refused';
  if (isUsed) history.replaceState(null, '', `/${location.hash}`);
  return answer === null || answer.ok ? null : answer.error;
}
