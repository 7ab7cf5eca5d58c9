/** Who asks, as far as the HTTP edge knows it. */
import type { TokenScope } from '../../contract/access.ts';
import type { ConversationId } from '../../contract/ids.ts';

/** Who asks, by credential. `anonymous` reaches public routes only. */
export type Caller =
  /** A person at a browser that is logged in. */
  | { readonly kind: 'session'; readonly id: string }
  /** A program that shows a token. */
  | {
      readonly kind: 'token';
      readonly id: string;
      readonly scopes: readonly TokenScope[];
      /** Present: the token is for this conversation only; `confined.ts` decides. */
      readonly conversationId?: string;
    }
  /** A command of an agent that shows a token; null if nothing says of which conversation. */
  | {
      readonly kind: 'agent';
      readonly conversationId: ConversationId | null;
      readonly id: string;
      readonly scopes: readonly TokenScope[];
    }
  | { readonly kind: 'anonymous' };
