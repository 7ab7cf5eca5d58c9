/** Who is signed in, from what Codex says of it in its own words. Pure. */
import { en } from '../strings/en.ts';

export function describeAccount(account: unknown): string {
  if (typeof account !== 'object' || account === null) return en.account.signedIn;
  if ('type' in account && account.type === 'apiKey') return en.account.withKey;
  const email = 'email' in account && typeof account.email === 'string' ? account.email : '';
  const plan = 'planType' in account && typeof account.planType === 'string' ? account.planType : '';
  const who = [email, plan].filter((part) => part !== '' && part !== 'unknown').join(' · ');
  return who === '' ? en.account.signedIn : en.account.as(who);
}

/** Only an https page is offered as a link. */
export function isSafeLink(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:';
}
