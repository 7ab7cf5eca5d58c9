/** Arriving by a login link: redeems its token, and takes it out of the address before anything else is shown. */
import type { LoginProblem, PageSession } from './session.ts';

const LOGIN_PATH = '/login';

/** Null if the page can go on; a problem is shown in its place. */
export async function arriveByLink(session: PageSession): Promise<LoginProblem | null> {
  if (location.pathname !== LOGIN_PATH) return null;
  const token = new URLSearchParams(location.search).get('token');
  const answer = token === null ? null : await session.logIn(token);
  // The link still works if the server was not reached or no key could be made: then a reload, or another browser, may use it.
  const isUsed = answer === null || answer.ok || answer.error.kind === 'refused';
  if (isUsed) history.replaceState(null, '', `/${location.hash}`);
  return answer === null || answer.ok ? null : answer.error;
}
