/** Who speaks, by credential. `anonymous` reaches public routes only. */
export type Caller =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'api_token' }
  | { readonly kind: 'anonymous' };
