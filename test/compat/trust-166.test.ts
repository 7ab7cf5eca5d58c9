/** Workspace trust with Codex 0.166: the same cases as with the pinned version. */
process.env.CODEX_TRUST_BIN = process.env.CODEX_COMPAT_BIN_166 ?? '';
await import('../api/trust.test.ts');
