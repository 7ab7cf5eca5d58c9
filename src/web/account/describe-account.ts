/** Who is signed in and how much of the limits is used, from what Codex says of it. Pure. */
import type { AccountLimits } from '../../contract/routes-server.ts';
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

/** A line for each limit; `isBrief`: only that one is reached. Times are those of the reader's clock. */
export function describeLimits(limits: AccountLimits | null, isBrief = false): readonly string[] {
  if (limits === null) return [];
  const reached = limits.reached === null ? [] : [en.account.limitReached(limits.reached)];
  if (isBrief) return reached;
  const windows = limits.windows.map(({ used_percent, window_minutes, resets_at_ms }) =>
    en.account.limit(
      limitName(window_minutes),
      Math.round(used_percent),
      resets_at_ms === null
        ? null
        : new Date(resets_at_ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
    ),
  );
  return [...windows, ...reached];
}

function limitName(minutes: number | null): string {
  const { limitOf, limitUnnamed } = en.account;
  if (minutes === null) return limitUnnamed;
  if (minutes >= 1_440 && minutes % 1_440 === 0) return limitOf.days(minutes / 1_440);
  if (minutes >= 60 && minutes % 60 === 0) return limitOf.hours(minutes / 60);
  return limitOf.minutes(minutes);
}
