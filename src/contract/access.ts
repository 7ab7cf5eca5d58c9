/** The scopes of a token: what a program that shows it may do. What only a person may do is in no scope. */
import { z } from 'zod';

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
