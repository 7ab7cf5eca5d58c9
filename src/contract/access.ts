/** The scopes of a token: what a program that shows it may do. What only a person may do is in no scope. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';

/**
 * read: looks at conversations, terminals, shells, events and the board.
 * operate: sends messages, stops turns, publishes events, posts on the board, changes settings but never to looser ones.
 * run: runs commands as the user: shell/exec, terminals, Framework Shells.
 */
export const TOKEN_SCOPES = ['read', 'operate', 'run'] as const;
export const TokenScope = z.enum(TOKEN_SCOPES);
export type TokenScope = z.infer<typeof TokenScope>;

/** public: no credential. owner: a browser session only; no token ever has this scope. */
export type Scope = 'public' | TokenScope | 'owner';

export const TokenId = z.string().regex(/^tok_[0-9a-f]{12}$/, 'expected tok_ and 12 hex digits');

/** A token as lists show it: without the secret, of which only a hash is stored. */
export const AccessToken = z.object({
  id: TokenId,
  label: z.string(),
  scopes: z.array(TokenScope),
  /** The one conversation it is for; null: all. */
  conversation_id: ConversationId.nullable(),
  created_at: z.string(),
  /** To the hour, so that using a token does not write the file each time. */
  last_used_at: z.string().nullable(),
  expires_at: z.string().nullable(),
});
export type AccessToken = z.infer<typeof AccessToken>;

/** `tokens.json` in the home. */
export const TokenFile = z.object({
  tokens: z.array(AccessToken.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) })),
});
export type TokenFile = z.infer<typeof TokenFile>;

/** What needs a second confirmation by a person. */
export type Act =
  | 'always_allow'
  | 'never_ask'
  | 'no_sandbox'
  | 'trust_workspace'
  | 'pair_browser'
  | 'create_token'
  | 'undo_changes'
  | 'stage_changes'
  | 'ship'
  | 'run_programs'
  | 'force_push'
  | 'schedule';

/** Given with the repeated call, after `confirmation_required`. */
export const Confirm = z.object({
  /** `details.confirm` of the refusal. Works once, for exactly the same call. */
  id: z.string().min(1).max(100),
  /** Where a password is set. */
  password: z.string().max(1024).optional(),
});
export type Confirm = z.infer<typeof Confirm>;

/** `details` of `confirmation_required`. */
export const ConfirmationDetails = z.object({
  confirm: z.string(),
  acts: z.array(z.string()),
  title: z.string(),
  /** What it means, one plain sentence each. */
  means: z.array(z.string()),
  /** What the button says that goes on. */
  button: z.string(),
  needs_password: z.boolean(),
  /** Why the last try did not do. */
  problem: z.string().optional(),
});
export type ConfirmationDetails = z.infer<typeof ConfirmationDetails>;

/** `password.json` in the home. */
export const PasswordFile = z.object({
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The cost of scrypt when it was set. */
  n: z.number().int(),
});
export type PasswordFile = z.infer<typeof PasswordFile>;
export const MIN_PASSWORD_CHARS = 8;

/** What a route allows to a command of an agent, whatever token it shows. own: if its input names the agent's own conversation. any: always. */
export type AgentAccess = 'own' | 'any';
