/** The checks of pull requests: which requests are followed, and what the tools of hosts answer. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';

/** A pull request that was opened here and whose checks are followed. */
export const FollowedRequest = z.object({
  conversation_id: ConversationId,
  tool: z.enum(['gh', 'glab']),
  url: z.string().max(2_048),
  branch: z.string().max(250),
  opened_ms: z.number(),
  /** When the host was asked last; null before the first time. */
  asked_ms: z.number().nullable(),
  /** The outcome that was told last, by its key. */
  told: z.string().max(200).nullable(),
});
export type FollowedRequest = z.infer<typeof FollowedRequest>;

/** `gh pr view URL --json state,headRefOid,statusCheckRollup`: checks of apps, and statuses of commits. */
export const GhAnswer = z.object({
  state: z.string(),
  headRefOid: z.string().regex(/^[0-9a-f]{40,64}$/),
  statusCheckRollup: z
    .array(
      z.object({
        name: z.string().nullish(),
        context: z.string().nullish(),
        status: z.string().nullish(),
        conclusion: z.string().nullish(),
        state: z.string().nullish(),
        detailsUrl: z.string().nullish(),
        targetUrl: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** `glab mr view IID --output json`: one pipeline for all jobs. */
export const GlabAnswer = z.object({
  state: z.string(),
  sha: z.string().regex(/^[0-9a-f]{40,64}$/),
  head_pipeline: z.object({ status: z.string(), web_url: z.string().nullish() }).nullish(),
});

export const FollowedRequests = z.object({ version: z.literal(1), requests: z.array(FollowedRequest).max(1_000) });
